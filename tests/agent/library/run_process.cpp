// SPDX-License-Identifier: Apache-2.0
//
// A child in a process group of its own, with its output in temporary files: no pipe can fill up.
#include "tests/agent/library/run_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

namespace coalcheck::testing {
namespace {

class OutputFile {
 public:
  OutputFile() : file_(mkstemp(path_)) {}
  ~OutputFile() {
    close(file_);
    unlink(path_);
  }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  int file() const { return file_; }
  std::string Text() const {
    std::ifstream stream(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  }

 private:
  char path_[64] = "/tmp/coalcheck-test-output-XXXXXX";
  const int file_;
};

[[noreturn]] void Become(const std::vector<std::string>& words,
                         const std::map<std::string, std::string>& environment,
                         const OutputFile& out, const OutputFile& err) {
  setpgid(0, 0);
  dup2(out.file(), STDOUT_FILENO);
  dup2(err.file(), STDERR_FILENO);
  for (const auto& [name, value] : environment) {
    value.empty() ? unsetenv(name.c_str()) : setenv(name.c_str(), value.c_str(), 1);
  }
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  _exit(127);
}

}  // namespace

ProcessResult RunProcess(const std::vector<std::string>& words,
                         const std::map<std::string, std::string>& environment,
                         std::chrono::seconds deadline) {
  const OutputFile out;
  const OutputFile err;
  const pid_t child = fork();
  if (child == 0) Become(words, environment, out, err);
  setpgid(child, child);
  ProcessResult result;
  const auto end = std::chrono::steady_clock::now() + deadline;
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > end) {
      result.timed_out = true;
      kill(-child, SIGKILL);
      waitpid(child, &status, 0);
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  result.out = out.Text();
  result.err = err.Text();
  return result;
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace coalcheck::testing
