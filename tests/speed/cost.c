/* SPDX-License-Identifier: BSD-3-Clause
 * What a command costs: `cost COMMAND...` runs it without its output and prints the microseconds of processor
 * time that it took, the KiB of memory that it held at most, and the pages that it touched first. The kernel
 * of some machines gives large pages to every program: none are given here. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int status;
  struct rusage usage;
  pid_t pid = argc > 1 ? fork() : -1;
  if (pid < 0) {
    return 2;
  }
  if (pid == 0) {
    prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
    dup2(open("/dev/null", O_WRONLY), 1);
    execvp(argv[1], argv + 1);
    _exit(127);
  }
  if (wait4(pid, &status, 0, &usage) != pid || status != 0) {
    return 1;
  }
  long us = 1000000 * (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + usage.ru_utime.tv_usec +
            usage.ru_stime.tv_usec;
  printf("%ld %ld %ld\n", us, usage.ru_maxrss, usage.ru_minflt);
  return 0;
}
