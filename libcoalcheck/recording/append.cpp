// SPDX-License-Identifier: Apache-2.0
//
// One write, which begins with a newline where the last line lacks one.
#include "libcoalcheck/recording/append.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libcoalcheck/base/open_file.h"
#include "libcoalcheck/recording/file_calls.h"
#include "libcoalcheck/recording/json_line.h"

namespace coalcheck::recording {
namespace {

bool EndsInTheMiddleOfALine(const OpenFile& file) {
  char last = '\n';
  const auto size = static_cast<off_t>(file.size());
  return size > 0 && pread(file.descriptor(), &last, 1, size - 1) == 1 && last != '\n';
}

}  // namespace

int AppendRecord(const std::string& folder, const Record& record) {
  const std::string path = folder + "/" + std::string(kRecordsFile);
  const OpenFile file(path, Links::kRefuse, O_RDWR | O_APPEND);
  if (file.error() != 0) return file.error();
  // A file with another name, too, may be one that the program only linked here.
  struct stat status {};
  if (fstat(file.descriptor(), &status) != 0 || status.st_nlink != 1) return EMLINK;
  const char* const first = EndsInTheMiddleOfALine(file) ? "\n" : "";
  std::size_t written = 0;
  return WriteAll(file.descriptor(), first + ToJsonLine(record), &written);
}

}  // namespace coalcheck::recording
