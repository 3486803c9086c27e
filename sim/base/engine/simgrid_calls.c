/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/base/engine/simgrid_calls.h"

#include "config.h"
#include "sim/base/err.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* RTLD_DEEPBIND: the 50,000 names in SimGrid's libraries are looked up in these libraries first, and not in
 * vain in all libraries of the program before; to load takes a quarter less. The address sanitizer ends a
 * process that asks for RTLD_DEEPBIND. */
#ifdef __SANITIZE_ADDRESS__
enum { BINDING = RTLD_LAZY };
#else
enum { BINDING = RTLD_LAZY | RTLD_DEEPBIND };
#endif

struct simgrid_calls simgrid;

static bool missing;

/* Tell whether SimGrid, in LIBRARY, has been started. The C interface of SimGrid has no function for this
 * question. */
static bool is_started(void *library) {
  union {
    void *address;
    bool (*is_initialized)(void);
  } function = {dlsym(library, "_ZN7simgrid3s4u6Engine14is_initializedEv")};
  return function.address && function.is_initialized();
}

/* Find the functions in LIBRARY.
 * returns: whether LIBRARY has all of them. */
static bool find_calls(void *library) {
  static const struct {
    const char *name;
    void *place;
  } calls[] = {
#define SIMGRID_CALL(name) {#name, &simgrid.name},
#include "sim/base/engine/simgrid_calls.def"
  };
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    void *found = dlsym(library, calls[i].name);
    if (!found) {
      return false;
    }
    memcpy(calls[i].place, &found, sizeof found);
  }
  return true;
}

int simgrid_load(struct err *err) {
  static void *library;
  if (library) {
    return 0;
  }
  void *found = dlopen(SIMGRID_SONAME, BINDING);
  missing = !found || !find_calls(found);
  if (missing) {
    return err_set(err, "%s, expected SimGrid " SIMGRID_VERSION_TEXT, dlerror());
  }
  if (is_started(found)) {
    return err_set(err, "SimGrid runs in this process already, expected to be the first to start it");
  }
  library = found;
  return 0;
}

int simgrid_read_platform(const char *text, struct err *err) {
  char path[64];
  int file = memfd_create("platform", MFD_CLOEXEC), status = -1;
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  if (dprintf(file, "%s", text) < 0 || access(path, R_OK) != 0) {
    err_set(err, "%s: %s, expected a file from which SimGrid reads a platform", path, strerror(errno));
  } else {
    simgrid.simgrid_load_platform(path);
    status = 0;
  }
  close(file);
  return status;
}

bool simgrid_is_missing(void) {
  return missing;
}
