// SPDX-License-Identifier: Apache-2.0
//
// fork and exec, with both streams in temporary files: nothing to read while it runs, nothing that
// can fill up.
#include "tests/support/run_program.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <memory>

namespace coalcheck::support {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

std::string Content(std::FILE* file) {
  std::rewind(file);
  std::string content;
  std::array<char, 65536> buffer;
  while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), file)) {
    content.append(buffer.data(), size);
  }
  return content;
}

[[noreturn]] void Become(const std::vector<std::string>& words,
                         const std::vector<std::pair<std::string, std::string>>& environment,
                         std::FILE* out, std::FILE* err) {
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  dup2(fileno(out), STDOUT_FILENO);
  dup2(fileno(err), STDERR_FILENO);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

}  // namespace

ProgramResult RunProgram(const std::vector<std::string>& words,
                         const std::vector<std::pair<std::string, std::string>>& environment) {
  const File out(std::tmpfile());
  const File err(std::tmpfile());
  if (words.empty() || !out || !err) return {};
  const pid_t child = fork();
  if (child == 0) Become(words, environment, out.get(), err.get());
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return {};
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return {code, Content(out.get()), Content(err.get())};
}

}  // namespace coalcheck::support
