/* SPDX-License-Identifier: BSD-3-Clause
 * Output files: complete or not at all. */
#include "sim/base/outfile.h"
#include "tests/suite.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/cellcoll-outfile-XXXXXX";
static char *path;
static struct outfile file;

static void make_folder(void) {
  ck_assert_ptr_nonnull(mkdtemp(folder));
  path = xasprintf("%s/result", folder);
}

static void remove_folder(void) {
  unlink(path);
  ck_assert_int_eq(rmdir(folder), 0); /* nothing else is left behind */
  free(path);
}

TESTS(outfile, .start = make_folder, .stop = remove_folder);

TEST(a_file_appears_when_it_is_closed_and_not_before) {
  SUCCEEDS(outfile_open(&file, path, &failure));
  fputs("all of it", file.stream);
  ck_assert_int_ne(access(path, F_OK), 0);
  SUCCEEDS(outfile_close(&file, &failure));
  ck_assert_int_eq(access(path, F_OK), 0);
}

TEST(a_link_that_leads_nowhere_is_refused_and_stays) {
  struct stat status;
  ck_assert_int_eq(symlink("nowhere/at-all", path), 0);
  ck_assert_int_eq(outfile_open(&file, path, &failure), -1);
  ck_assert(strstr(failure.text, "a link that leads nowhere") != NULL);
  ck_assert_int_eq(lstat(path, &status), 0);
  ck_assert(S_ISLNK(status.st_mode));
}

TEST(an_input_is_never_replaced_under_any_name) {
  char *link = xasprintf("%s/link", folder), *other = xasprintf("%s/./link", folder);
  ck_assert(!outfile_is_input(link));
  outfile_note_input(link);
  ck_assert(outfile_is_input(link)); /* also before it exists */
  fclose(fopen(path, "w"));
  ck_assert_int_eq(symlink(path, link), 0);
  const char *const names[] = {link, other, path};
  for (size_t i = 0; i < 3; i++) {
    failure = (struct err){""};
    ck_assert_int_eq(outfile_open(&file, names[i], &failure), -1);
    ck_assert(strstr(failure.text, "the command reads this file") != NULL);
  }
  ck_assert(!outfile_is_same(folder, folder)); /* no file */
  unlink(link);
  free(other);
  free(link);
}

TEST(the_mode_of_a_file_and_a_link_to_it_stay) {
  struct stat status;
  char *link = xasprintf("%s/link", folder);
  fclose(fopen(path, "w"));
  ck_assert_int_eq(chmod(path, 0640), 0);
  ck_assert_int_eq(symlink(path, link), 0);
  SUCCEEDS(outfile_open(&file, link, &failure));
  fputs("new", file.stream);
  SUCCEEDS(outfile_close(&file, &failure));
  ck_assert_int_eq(lstat(link, &status), 0);
  ck_assert(S_ISLNK(status.st_mode));
  ck_assert_int_eq(stat(path, &status), 0);
  ck_assert_int_eq(status.st_size, 3);
  ck_assert_int_eq(status.st_mode & 07777, 0640);
  unlink(link);
  free(link);
}

TEST(an_abandoned_file_leaves_nothing_behind) {
  SUCCEEDS(outfile_open(&file, path, &failure));
  outfile_abandon(&file);
  ck_assert_int_ne(access(path, F_OK), 0);
}

/* The complete file stays; the incomplete files before have given up their places. */
TEST(what_is_not_complete_can_be_removed) {
  struct outfile other;
  for (unsigned i = 0; i < 40; i++) {
    SUCCEEDS(outfile_open(&file, path, &failure));
    SUCCEEDS(outfile_close(&file, &failure));
  }
  SUCCEEDS(outfile_open(&file, path, &failure));
  SUCCEEDS(outfile_open(&other, path, &failure));
  char *names[] = {xstrdup(file.temporary), xstrdup(other.temporary)};
  outfile_remove_unfinished();
  for (unsigned i = 0; i < 2; i++) {
    ck_assert_int_ne(access(names[i], F_OK), 0);
    free(names[i]);
  }
  ck_assert_int_eq(access(path, F_OK), 0);
  outfile_abandon(&file);
  outfile_abandon(&other);
}

TEST(a_device_is_written_in_place_and_a_full_one_is_an_error) {
  SUCCEEDS(outfile_open(&file, "/dev/full", &failure));
  ck_assert_ptr_null(file.temporary);
  fputs("lost", file.stream);
  FAILS(outfile_close(&file, &failure), "/dev/full: cannot be written: No space left on device");
  ck_assert_int_eq(access("/dev/full", F_OK), 0);
}

TEST(a_file_in_a_missing_folder_is_named) {
  FAILS(outfile_open(&file, "/no/such/folder/x", &failure),
        "/no/such/folder/x: cannot be written: No such file or directory");
}
