/* SPDX-License-Identifier: BSD-3-Clause
 * The engine of the library: one in a process, entered and left by each function, and the message of the
 * last error (cellcoll_error). */
#include "lib/engine.h"

#include "lib/cellcoll.h"
#include "sim/base/err.h"
#include "sim/base/network/network_reader.h"

#include <locale.h>
#include <stdatomic.h>

static struct err last;
static bool busy;
static unsigned owner;   /* number of the thread with the engine; 0: none yet */
static locale_t callers; /* locale of the caller of the function under way */

locale_t engine_plain_locale(void) {
  static locale_t plain;
  if (!plain) {
    plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  }
  return uselocale(plain);
}

void engine_caller_begin(void) {
  uselocale(callers);
}

void engine_caller_end(void) {
  callers = engine_plain_locale();
}

/* Return the number of the calling thread; the number of an ended thread is not used again. */
static unsigned number_of_thread(void) {
  static atomic_uint latest;
  static _Thread_local unsigned number;
  if (!number) {
    number = ++latest;
  }
  return number;
}

int engine_refuse(const struct err *why) {
  last = *why;
  return -1;
}

const char *cellcoll_error(void) {
  return last.text;
}

static int refuse(const char *text) {
  struct err err = {""};
  err_set(&err, "%s", text);
  return engine_refuse(&err);
}

int engine_check(void) {
  if (busy) {
    return refuse("a call is under way, expected no other one before its end");
  }
  if (owner && owner != number_of_thread()) {
    return refuse("called from a second thread, expected the one of the first machine");
  }
  return 0;
}

int engine_enter(void) {
  if (engine_check() != 0) {
    return -1;
  }
  callers = engine_plain_locale();
  if (!owner) {
    network_reader_prepare();
    owner = number_of_thread();
  }
  busy = true;
  return 0;
}

void engine_leave(void) {
  uselocale(callers);
  busy = false;
}
