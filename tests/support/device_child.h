// Runs a piece of a test in a forked child and tells how the child ended.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZP_TESTS_SUPPORT_DEVICE_CHILD_H
#define ZP_TESTS_SUPPORT_DEVICE_CHILD_H

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

namespace zp::test {

struct ChildEnd {
  int signal = 0;      ///< that killed it, or 0
  int exit_code = -1;  ///< or -1 if a signal did
};

/// `body` returns the child's exit code; it may not throw. A child that hangs is killed by SIGALRM.
inline ChildEnd run_in_child(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGSEGV, SIG_DFL);
    std::signal(SIGBUS, SIG_DFL);
    alarm(20);
    _exit(body());
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return {};
  if (WIFSIGNALED(status)) return {WTERMSIG(status), -1};
  return {0, WIFEXITED(status) ? WEXITSTATUS(status) : -1};
}

/// The signal by which this process would die if it read, or wrote, one byte there.
inline int signal_of_read(const void* address) {
  return run_in_child([&] { return *static_cast<const volatile char*>(address) & 0; }).signal;
}
inline int signal_of_write(void* address) {
  return run_in_child([&] {
           *static_cast<volatile char*>(address) = 1;
           return 0;
         })
      .signal;
}

}  // namespace zp::test

#endif
