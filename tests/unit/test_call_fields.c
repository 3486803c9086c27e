/* SPDX-License-Identifier: BSD-3-Clause
 * The table of the fields of a call: what holds for each row, without a list of rows. */
#include "sim/base/text.h"
#include "tests/call_bed.h"
#include "tests/suite.h"
#include "validate/lab/call/call.h"
#include "validate/lab/ledger/ledger_key.h"

static struct call plain(void) {
  return (struct call){
    .algorithm = call_bed_find("reduce:tree-opt-blade"), .nranks = 8, .nbytes = 64, .repeat = 1, .seed = 1};
}

/* Give FIELD of CALL an unusual value.
 * returns: the word; NULL: FIELD takes none of the samples. */
static const char *alter(const struct call_field *field, struct call *call) {
  static const char *const samples[] = {"7", "max", "float64", "1:500,3:20", "bcast/16/4096=tree"};
  struct err err;
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
    call_field_reset(field, call);
    if (call_field_take_text(field, call, samples[i], &err) == 0) {
      return samples[i];
    }
    call_fields_fini(call);
  }
  return NULL;
}

static struct pack key_of(const struct call *call) {
  static const struct experiment_kind kind = {.name = "call"};
  struct pack key = {0};
  ledger_key(&(struct experiment){.kind = &kind, .machine = bed.machine, .call = *call}, &key);
  return key;
}

TESTS(call_fields, .start = bed_begin, .stop = bed_end);

TEST(a_word_of_a_field_is_read_and_written_alike) {
  for (const struct call_field *field = call_fields; field < call_fields + CALL_FIELDS; field++) {
    struct call call = plain(), usual = plain();
    ck_assert_msg(field->kind->is_part || call_field_is_usual(field, &call), "%s", field->name);
    const char *sample = alter(field, &call);
    ck_assert_msg(sample, "%s takes no sample", field->name);
    SCOPED char *word = call_field_word(field, &call);
    bool has_seed = field->kind->append && field->kind->is_number;
    ck_assert_msg(strncmp(word, sample, strlen(sample)) == 0 && (has_seed || strcmp(word, sample) == 0),
                  "%s: %s becomes %s", field->name, sample, word);
    ck_assert_msg(!call_field_equal(field, &call, &usual), "%s", field->name);
    call_fields_fini(&call);
    call_field_reset(field, &call);
    ck_assert_msg(call_field_equal(field, &call, &usual), "%s", field->name);
  }
}

/* Also no two fields give the same key. */
TEST(each_field_changes_the_key) {
  struct call calls[CALL_FIELDS + 1];
  struct pack keys[CALL_FIELDS + 1];
  for (unsigned i = 0; i <= CALL_FIELDS; i++) {
    calls[i] = plain();
    if (i < CALL_FIELDS) {
      alter(&call_fields[i], &calls[i]);
    }
    keys[i] = key_of(&calls[i]);
    for (unsigned j = 0; j < i; j++) {
      bool same =
        keys[i].nbytes == keys[j].nbytes && memcmp(keys[i].bytes, keys[j].bytes, keys[i].nbytes) == 0;
      ck_assert_msg(!same, "%s", call_fields[j].name);
    }
  }
  for (unsigned i = 0; i <= CALL_FIELDS; i++) {
    pack_fini(&keys[i]);
    call_fields_fini(&calls[i]);
  }
}

TEST(a_field_stands_in_the_command_that_repeats_a_point) {
  for (const struct call_field *field = call_fields; field < call_fields + CALL_FIELDS; field++) {
    struct call call = plain();
    alter(field, &call);
    SCOPED char *text = xstrdup(""), *word = call_field_word(field, &call);
    SCOPED char *expected = xasprintf("--%s %s", field->name, word);
    call_fields_append_options(&text, &call);
    ck_assert_msg(field->kind->is_part ? strstr(text, word) != NULL : strstr(text, expected) != NULL,
                  "%s is not in '%s'", expected, text);
    call_fields_fini(&call);
  }
}

TEST(a_number_beyond_a_field_is_refused_with_the_name) {
  struct call call = plain();
  struct err err = {""};
  ck_assert_int_eq(
    call_field_take_number(&call_fields[FIELD_repeat], &call, (uint64_t)CALL_REPEATS_MAX + 1, &err), -1);
  ck_assert_str_eq(err.text, "repeat: 1000001, expected 1 to 1000000");
  call = plain();
  ck_assert_int_eq(call_field_take_number(&call_fields[FIELD_repeat], &call, 0, &err), 0);
  ck_assert_uint_eq(call.repeat, 1);
}
