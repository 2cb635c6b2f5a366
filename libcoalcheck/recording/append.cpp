// SPDX-License-Identifier: Apache-2.0
//
// One write, which begins with a newline where the last line lacks one.
#include "libcoalcheck/recording/append.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "libcoalcheck/recording/file_calls.h"
#include "libcoalcheck/recording/json_line.h"

namespace coalcheck::recording {
namespace {

bool EndsInTheMiddleOfALine(int file, off_t size) {
  char last = '\n';
  return size > 0 && pread(file, &last, 1, size - 1) == 1 && last != '\n';
}

}  // namespace

int AppendRecord(const std::string& folder, const Record& record) {
  const std::string path = folder + "/" + std::string(kRecordsFile);
  // Nothing but a plain file: no pipe to wait on, no link to somewhere else.
  const int file = open(path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return errno;
  struct stat status {};
  int error = fstat(file, &status) != 0 ? errno : S_ISREG(status.st_mode) ? 0 : EINVAL;
  if (error == 0) {
    const std::string line = ToJsonLine(record);
    std::size_t written = 0;
    error =
        WriteAll(file, (EndsInTheMiddleOfALine(file, status.st_size) ? "\n" : "") + line, &written);
  }
  close(file);
  return error;
}

}  // namespace coalcheck::recording
