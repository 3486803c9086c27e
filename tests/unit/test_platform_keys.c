/* SPDX-License-Identifier: BSD-3-Clause
 * Every parameter is typed like the name of its field, with '-' for '_'. */
#include "platform/platform.h"
#include "tests/suite.h"

TESTS(platform_keys);

TEST(keys_are_those_of_their_fields) {
  static const char *const fields[] = {
#define PLATFORM_PARAM(group, field, key, kind, unit, min, max, doc, term) #group "." #field,
#define PLATFORM_OPTIONAL(group, field, key, kind, unit, min, max, doc, value) #group "." #field,
#include "platform/platform.def"
  };
  for (size_t i = 0; i < PLATFORM_NPARAMS; i++) {
    char key[PLATFORM_KEY_SIZE];
    snprintf(key, sizeof key, "%s", fields[i]);
    for (char *c = key; *c; c++) {
      *c = *c == '_' ? '-' : *c;
    }
    ck_assert_str_eq(platform_params[i].key, key);
  }
}
