/* SPDX-License-Identifier: BSD-3-Clause
 * See gnuplot.h.
 *
 * The standard input, output and error of the child are files in memory, for script, picture and messages: no
 * pipe can fill up or break, and nothing is left on disk. gnuplot gets the script by the name of the standard
 * input: from the input without a name gnuplot reads each letter with a system call. */
#include "draw/gnuplot.h"

#include "sim/base/err.h"
#include "sim/base/xalloc.h"

#include <errno.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Name of the script, and the beginning of a message of gnuplot about a place in the script. */
#define SCRIPT "/dev/stdin"
static const char place_in_script[] = "\"" SCRIPT "\" ";

const char gnuplot_no_svg[] = "gnuplot: its output is no SVG, expected a whole svg element";

/* The files of a child, by the child's descriptor. */
struct child_files {
  int fds[3];
};

static void close_files(struct child_files *files) {
  for (int i = 0; i < 3; i++) {
    if (files->fds[i] >= 0) {
      close(files->fds[i]);
    }
  }
}

/* Write all of TEXT to FD and go back to the start of the file. */
static int fill(int fd, const char *text) {
  for (size_t left = strlen(text); left;) {
    ssize_t n = write(fd, text, left);
    if (n < 0 && errno != EINTR) {
      return -1;
    }
    text += n > 0 ? n : 0;
    left -= n > 0 ? (size_t)n : 0;
  }
  return lseek(fd, 0, SEEK_SET) < 0 ? -1 : 0;
}

/* Make FILES with SCRIPT as standard input. */
static int open_files(struct child_files *files, const char *script, struct err *err) {
  bool failed = false;
  for (int i = 0; i < 3; i++) {
    files->fds[i] = memfd_create("cellcoll-gnuplot", MFD_CLOEXEC);
    failed |= files->fds[i] < 0;
  }
  if (failed || fill(files->fds[0], script) != 0) {
    err_set(err, "gnuplot: no room for its script: %s", strerror(errno));
    close_files(files);
    return -1;
  }
  return 0;
}

/* Return the contents of FD, *SIZE bytes and a zero. */
static char *contents(int fd, size_t *size) {
  off_t nbytes = lseek(fd, 0, SEEK_END);
  *size = (size_t)(nbytes > 0 ? nbytes : 0);
  char *text = xcalloc((size_t)(nbytes > 0 ? nbytes : 0) + 1, 1);
  for (off_t done = 0; done < nbytes;) {
    ssize_t n = pread(fd, text + done, (size_t)(nbytes - done), done);
    if (n <= 0 && errno != EINTR) {
      break;
    }
    done += n > 0 ? n : 0;
  }
  return text;
}

/* Return the line of MESSAGES with the reason why gnuplot ended: the line about a place in the script, else
 * the first line. Warnings do not count. */
static const char *reason_in(const char *messages) {
  const char *first = NULL;
  for (const char *line = messages + strspn(messages, " \t\r\n"); *line; line += strspn(line, " \t\r\n")) {
    size_t length = strcspn(line, "\n");
    if (!memmem(line, length, "warning:", 8)) {
      if (strncmp(line, place_in_script, strlen(place_in_script)) == 0) {
        return line + strlen(place_in_script);
      }
      first = first ? first : line;
    }
    line += length;
  }
  return first ? first : "nothing";
}

/* Report a gnuplot that ended with STATUS, with the reason from FILES. */
static void complain(int status, const struct child_files *files, struct err *err) {
  size_t size;
  char *messages = contents(files->fds[2], &size);
  const char *line = reason_in(messages);
  int length = (int)strcspn(line, "\n");
  if (WIFSIGNALED(status)) {
    err_set(err, "gnuplot: ended by signal %d, expected a picture", WTERMSIG(status));
  } else {
    err_set(err, "gnuplot: exit code %d, expected 0; it says: %.*s", WEXITSTATUS(status),
            length < 200 ? length : 200, line);
  }
  free(messages);
}

/* Run gnuplot on FILES until the child ends. */
static int run(const struct child_files *files, struct err *err) {
  static char program[] = "gnuplot", own_settings[] = "-d", script[] = SCRIPT;
  char *arguments[] = {program, own_settings, script, NULL};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int i = 0; i < 3; i++) {
    posix_spawn_file_actions_adddup2(&actions, files->fds[i], i);
  }
  pid_t child;
  int failure = posix_spawnp(&child, program, &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure) {
    return err_set(err, "gnuplot: cannot be run: %s, expected it in PATH (Debian: package gnuplot-nox)",
                   strerror(failure));
  }
  int status;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) {
      return err_set(err, "gnuplot: cannot be waited for: %s", strerror(errno));
    }
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    complain(status, files, err);
    return -1;
  }
  return 0;
}

char *gnuplot_output(const char *script, size_t *nbytes, struct err *err) {
  struct child_files files;
  if (open_files(&files, script, err) != 0) {
    return NULL;
  }
  char *output = run(&files, err) == 0 ? contents(files.fds[1], nbytes) : NULL;
  close_files(&files);
  if (output && *nbytes == 0) {
    err_set(err, "gnuplot: it writes nothing, expected a picture");
    free(output);
    return NULL;
  }
  return output;
}

int gnuplot_check(struct err *err) {
  size_t nbytes;
  char *output = gnuplot_output("set terminal svg\nplot 0\n", &nbytes, err);
  int status = !output ? -1 : strstr(output, "</svg>") ? 0 : err_set(err, "%s", gnuplot_no_svg);
  free(output);
  return status;
}
