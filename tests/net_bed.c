/* SPDX-License-Identifier: BSD-3-Clause
 * See net_bed.h. */
#include "tests/net_bed.h"

#include "sim/base/err.h"

#include <check.h>

struct platform *net_bed_platform(const char *name, const struct platform_setting *settings, size_t n) {
  struct err err = {.text = ""};
  struct platform *platform = platform_read(name, &err);
  ck_assert_msg(platform && platform_set_all(platform, settings, n, &err) == 0, "%s", err.text);
  return platform;
}

struct net *net_bed_net(const struct platform *platform, uint64_t seed) {
  struct err err = {.text = ""};
  struct net *net = net_new(platform, seed, &err);
  ck_assert_msg(net != NULL, "%s", err.text);
  return net;
}
