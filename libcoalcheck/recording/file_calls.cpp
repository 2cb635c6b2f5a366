// SPDX-License-Identifier: Apache-2.0
//
// The calls themselves.
#include "libcoalcheck/recording/file_calls.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <ctime>

namespace coalcheck::recording {
namespace {

constexpr int kFirstHighDescriptor = 200;

// Blocks the signals that a write can raise on this thread, and discards those raised while it
// lives.
class WriteSignalsHeld {
 public:
  WriteSignalsHeld() {
    sigset_t pending;
    sigemptyset(&pending);
    sigpending(&pending);
    sigemptyset(&signals_);
    for (const int signal : {SIGXFSZ, SIGPIPE}) {
      // One that was pending already is the host's own business.
      if (sigismember(&pending, signal) == 0) sigaddset(&signals_, signal);
    }
    held_ = pthread_sigmask(SIG_BLOCK, &signals_, &before_) == 0;
  }
  ~WriteSignalsHeld() {
    if (held_) pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  WriteSignalsHeld(const WriteSignalsHeld&) = delete;
  WriteSignalsHeld& operator=(const WriteSignalsHeld&) = delete;

  void EatPending() const {
    const timespec no_time = {};
    while (held_ && sigtimedwait(&signals_, nullptr, &no_time) == -1 && errno == EINTR) {
    }
  }

 private:
  sigset_t signals_ = {};
  sigset_t before_ = {};
  bool held_ = false;
};

}  // namespace

int WriteAll(int file, std::string_view bytes, std::size_t* written) {
  const WriteSignalsHeld held;
  *written = 0;
  while (*written < bytes.size()) {
    const ssize_t step = write(file, bytes.data() + *written, bytes.size() - *written);
    if (step > 0) {
      *written += static_cast<std::size_t>(step);
    } else if (step == 0) {
      return EIO;
    } else if (errno != EINTR) {
      const int error = errno;
      if (error == EFBIG || error == EPIPE) held.EatPending();
      return error;
    }
  }
  return 0;
}

int MakeFolders(const std::string& folder) {
  for (std::size_t slash = folder.find('/', 1); slash != std::string::npos;
       slash = folder.find('/', slash + 1)) {
    if (mkdir(folder.substr(0, slash).c_str(), 0700) != 0 && errno != EEXIST) return errno;
  }
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return errno;
  struct stat status = {};
  if (stat(folder.c_str(), &status) != 0) return errno;
  return S_ISDIR(status.st_mode) ? 0 : ENOTDIR;
}

int MoveHigh(int descriptor) {
  if (descriptor < 0) return -1;
  const int high = fcntl(descriptor, F_DUPFD_CLOEXEC, kFirstHighDescriptor);
  if (high < 0) return descriptor;
  close(descriptor);
  return high;
}

int OpenHigh(const std::string& path, int flags) {
  return MoveHigh(open(path.c_str(), flags | O_CLOEXEC, 0600));
}

std::string RealPath(const std::string& path) {
  char* resolved = realpath(path.c_str(), nullptr);
  if (resolved == nullptr) return {};
  std::string result = resolved;
  std::free(resolved);
  return result;
}

}  // namespace coalcheck::recording
