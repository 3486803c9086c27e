#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# Count the C files named on standard input, per folder: lines, tokens of code, words of comments, and of these words pronouns and
# linking words. A row per folder, then a row `all`.
#
# token      a name, a number, a string or character constant, or any other single character outside comments and white space
# pronouns   it, they and their forms, those; this and these only if no noun follows
# links      words that begin a relative clause: that, which, who, what and their forms
# Names of code and words in capitals count as words, never as pronouns or links.
use strict;
use warnings;

my %pronoun = map { $_ => 1 } qw(it its itself they them their theirs themselves those);
my %link = map { $_ => 1 } qw(that which who whom whose what whatever whoever);
my %no_noun = map { $_ => 1 } qw(is was are were be been has have had does do did can cannot may might must will would shall should
  mean means give gives make makes need needs take takes happen happens apply applies hold holds tell tells say says come comes go goes
  keep keeps let lets cost costs depend depends work works become becomes end ends begin begins save saves allow allows return returns
  fail fails of for in on at to by with from as if when because since so and or but than then only also too once again before after
  instead never always not either alone);

# Add the words of COMMENT to COUNT.
sub count_words {
  my ($comment, $count) = @_;
  $comment =~ s/\n[ \t]*\*+/\n/g;
  $comment =~ s/SPDX[^\n]*//;
  my @tokens = $comment =~ /[A-Za-z_][\w'-]*(?:\(\))?|[^\sA-Za-z_]/g;
  for my $i (0 .. $#tokens) {
    my $token = $tokens[$i];
    next if $token !~ /^[A-Za-z_]/;
    $count->{words}++;
    next if $token =~ /_|\(|\d|[a-z][A-Z]|^[A-Z'-]{2,}$/;
    my $word = lc $token;
    if ($link{$word}) {
      $count->{links}++;
    } elsif ($pronoun{$word}) {
      $count->{pronouns}++;
    } elsif ($word eq 'this' || $word eq 'these') {
      my $next = $i < $#tokens ? lc $tokens[$i + 1] : '.';
      $count->{pronouns}++ if $next !~ /^[a-z_]/ || $no_noun{$next};
    }
  }
}

my (%folders, %all);
while (my $file = <STDIN>) {
  chomp $file;
  my $count = $folders{$file =~ m{(.*)/} ? $1 : '.'} //= {};
  open my $in, '<', $file or die "$file: $!\n";
  my $text = do { local $/; <$in> };
  close $in;
  $count->{lines} += $text =~ tr/\n//;
  while ($text =~ m{/\*(.*?)\*/|//([^\n]*)|("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\w+|\S)}gs) {
    if (defined $3) {
      $count->{tokens}++;
    } else {
      count_words(defined $1 ? $1 : $2, $count);
    }
  }
}
my @columns = qw(lines tokens words pronouns links);
for my $folder (sort keys %folders) {
  $all{$_} += $folders{$folder}{$_} // 0 for @columns;
  print join(' ', $folder, map { $folders{$folder}{$_} // 0 } @columns), "\n";
}
print join(' ', 'all', map { $all{$_} // 0 } @columns), "\n";
