/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate/lab/plugin.h"

#include "algos/catalogue.h"
#include "algos/plugin.h"
#include "algos/schedule/file.h"
#include "sim/base/checksum.h"
#include "sim/base/engine/image.h"
#include "sim/base/err.h"
#include "sim/base/outfile.h"
#include "sim/base/vec.h"
#include "sim/base/xalloc.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files of this process. */
static struct {
  char **names;
  size_t n;
} files;

static int add_file(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size, (void)context;
  if (*info->dlpi_name && !VEC_FIND(files.names, files.n, strcmp(*item, info->dlpi_name) == 0)) {
    VEC_ADD(files.names, files.n) = xstrdup(info->dlpi_name);
  }
  return 0;
}

/* Libraries that plugins have brought into this process, besides the plugins' own files. */
static uint64_t libraries = CHECKSUM_START;

/* Add to `libraries` the contents of all files loaded after the first N, except OWN, the file of a plugin.
 * errors: an unreadable file. */
static int add_libraries(size_t n, const char *own, struct err *err) {
  for (dl_iterate_phdr(add_file, NULL); n < files.n; n++) {
    uint64_t sum;
    if (strcmp(files.names[n], own) == 0) {
      continue;
    }
    if (checksum_file(files.names[n], &sum, err) != 0) {
      return -1;
    }
    libraries = checksum_add(libraries, &sum, sizeof sum);
  }
  return 0;
}

/* Check that the file PATH has all parts in the head of a shared object: memory of a missing part faults.
 * Files without such a head pass. */
static int check_complete(const char *path, struct err *err) {
  ElfW(Ehdr) head;
  ElfW(Phdr) part;
  struct stat status;
  FILE *file = fopen(path, "rb");
  uint64_t expected = 0;
  bool is_object = file && fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode) &&
                   fread(&head, sizeof head, 1, file) == 1 && memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 &&
                   head.e_phentsize == sizeof part;
  for (unsigned i = 0; is_object && i < head.e_phnum; i++) {
    uint64_t place = head.e_phoff + i * sizeof part, end = place + sizeof part;
    if (fseek(file, (long)place, SEEK_SET) == 0 && fread(&part, sizeof part, 1, file) == 1) {
      end = part.p_type == PT_LOAD ? part.p_offset + part.p_filesz : 0;
    }
    RAISE(expected, end);
  }
  if (file) {
    fclose(file);
  }
  return is_object && expected > (uint64_t)status.st_size
           ? err_set(err, "%.200s: truncated: the file has %jd bytes, expected at least %ju", path,
                     (intmax_t)status.st_size, (uintmax_t)expected)
           : 0;
}

/* Bytes of the local store of an SPE: the static variables of a program cannot have more. */
enum { STATICS_MAX = 256 * 1024 };

/* An object that was loaded from the file PATH. */
struct object {
  const struct link_map *map;
  const char *path;
  struct err *err;
};

/* Let each program have the writable parts of OBJECT to itself, but for a part that is read-only since the
 * object was loaded.
 * returns: 1; 0: INFO is about another object.
 * errors: -1: more than STATICS_MAX; variables of a thread: all programs share one. */
static int add_statics(struct dl_phdr_info *info, size_t size, void *context) {
  const struct object *object = context;
  const ElfW(Phdr) *first = info->dlpi_phdr, *last = first + info->dlpi_phnum;
  uintptr_t base = info->dlpi_addr, readonly = 0; /* the end of the part that is read-only now */
  size_t nbytes = 0;
  (void)size;
  if (base != object->map->l_addr || strcmp(info->dlpi_name, object->map->l_name) != 0) {
    return 0;
  }
  for (const ElfW(Phdr) *part = first; part < last; part++) {
    readonly = part->p_type == PT_GNU_RELRO ? base + part->p_vaddr + part->p_memsz : readonly;
    if (part->p_type == PT_TLS) {
      return err_set(object->err,
                     "%.200s: thread-local variables, expected static ones, one for each program",
                     object->path);
    }
  }
  for (const ElfW(Phdr) *part = first; part < last; part++) {
    uintptr_t begin = base + part->p_vaddr, end = begin + part->p_memsz;
    begin = readonly > begin && readonly <= end ? readonly : begin;
    bool writable = part->p_type == PT_LOAD && part->p_flags & PF_W;
    nbytes += writable ? end - begin : 0;
    if (nbytes > STATICS_MAX) {
      return err_set(
        object->err,
        "%.200s: %zu bytes of static variables that are not const, expected at most %d, the local "
        "store of an SPE",
        object->path, nbytes, STATICS_MAX);
    }
    if (writable) {
      image_add((void *)begin, end - begin);
    }
  }
  return 1;
}

static int check_abi(const struct cellcoll_abi *abi, const char *path, struct err *err) {
  static const struct cellcoll_abi ours = CELLCOLL_ABI;
  if (abi->version != ours.version) {
    return err_set(err,
                   "%.200s: made for version %u of the interface, expected %u: compile it anew with the "
                   "headers of this cellcoll; NEWS tells what has changed",
                   path, abi->version, ours.version);
  }
  if (memcmp(abi, &ours, sizeof ours) != 0) {
    return err_set(err, "%.200s: made for another cellcoll, expected one compiled with its headers", path);
  }
  return 0;
}

int plugin_load(const char *path, struct err *err) {
  if (file_is_algorithm(path)) {
    return file_load(path, err) ? 0 : -1;
  }
  dl_iterate_phdr(add_file, NULL);
  size_t before = files.n;
  if (check_complete(path, err) != 0) {
    return -1;
  }
  /* dlopen looks up names without a slash elsewhere */
  SCOPED char *file = xasprintf("%s%s", strchr(path, '/') ? "" : "./", path);
  void *object = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!object) {
    const char *why = dlerror();
    return err_set(err, "%.200s: cannot be loaded: %s", path,
                   access(path, F_OK) == 0 ? why : strerror(errno));
  }
  const struct cellcoll_abi *abi = dlsym(object, "cellcoll_abi");
  const struct algo *const *algorithms = dlsym(object, "cellcoll_algorithms");
  if (!abi || !algorithms) {
    return err_set(err, "%.200s: no plugin: it has no %s, expected CELLCOLL_PLUGIN in it", path,
                   abi ? "cellcoll_algorithms" : "cellcoll_abi");
  }
  if (check_abi(abi, path, err) != 0) {
    return -1;
  }
  if (!*algorithms) {
    return err_set(err, "%.200s: no algorithm in it, expected at least one", path);
  }
  struct object loaded = {.path = path, .err = err};
  if (dlinfo(object, RTLD_DI_LINKMAP, &loaded.map) != 0 || dl_iterate_phdr(add_statics, &loaded) < 0) {
    return -1;
  }
  outfile_note_input(file);
  uint64_t checksum;
  int status = checksum_file(file, &checksum, err) == 0 ? add_libraries(before, file, err) : -1;
  if (libraries != CHECKSUM_START) {
    checksum = checksum_add(checksum, &libraries, sizeof libraries);
  }
  for (; status == 0 && *algorithms; algorithms++) {
    struct err why = {""};
    if (catalogue_add(*algorithms, checksum, &why) != 0) {
      return err_set(err, "%.200s: %s", path, why.text);
    }
  }
  return status;
}
