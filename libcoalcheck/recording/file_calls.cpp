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

// Holds SIGXFSZ back on this thread while it lives, and eats the one that a write raised.
class FileSizeSignalHeld {
 public:
  FileSizeSignalHeld() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    held_ = pthread_sigmask(SIG_BLOCK, &signal_, &before_) == 0;
  }
  ~FileSizeSignalHeld() {
    if (held_) pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  FileSizeSignalHeld(const FileSizeSignalHeld&) = delete;
  FileSizeSignalHeld& operator=(const FileSizeSignalHeld&) = delete;

  void EatPending() const {
    const timespec no_time = {};
    while (held_ && sigtimedwait(&signal_, nullptr, &no_time) == -1 && errno == EINTR) {
    }
  }

 private:
  sigset_t signal_ = {};
  sigset_t before_ = {};
  bool held_ = false;
};

}  // namespace

int WriteAll(int file, std::string_view bytes, std::size_t* written) {
  const FileSizeSignalHeld held;
  *written = 0;
  while (*written < bytes.size()) {
    const ssize_t step = write(file, bytes.data() + *written, bytes.size() - *written);
    if (step > 0) {
      *written += static_cast<std::size_t>(step);
    } else if (step == 0) {
      return EIO;
    } else if (errno != EINTR) {
      const int error = errno;
      if (error == EFBIG) held.EatPending();
      return error;
    }
  }
  return 0;
}

int MakeFolders(const std::string& folder) {
  for (std::size_t slash = folder.find('/', 1); slash != std::string::npos;
       slash = folder.find('/', slash + 1)) {
    if (mkdir(folder.substr(0, slash).c_str(), 0777) != 0 && errno != EEXIST) return errno;
  }
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return errno;
  struct stat status = {};
  if (stat(folder.c_str(), &status) != 0) return errno;
  return S_ISDIR(status.st_mode) ? 0 : ENOTDIR;
}

int OpenHigh(const std::string& path, int flags) {
  const int low = open(path.c_str(), flags | O_CLOEXEC, 0600);
  if (low < 0) return -1;
  const int high = fcntl(low, F_DUPFD_CLOEXEC, kFirstHighDescriptor);
  if (high < 0) return low;
  close(low);
  return high;
}

std::string RealPath(const std::string& path) {
  char* resolved = realpath(path.c_str(), nullptr);
  if (resolved == nullptr) return {};
  std::string result = resolved;
  std::free(resolved);
  return result;
}

}  // namespace coalcheck::recording
