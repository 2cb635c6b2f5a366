// SPDX-License-Identifier: Apache-2.0
//
// fork and exec; a pipe that closes with the exec brings back why there was none.
#include "cli/launch/child.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>

extern char**
    environ;  // NOLINT(readability-redundant-declaration): glibc hides it without _GNU_SOURCE

namespace coalcheck::cli {
namespace {

// Everything that the child needs, made before the fork.
struct Image {
  std::vector<char*> arguments;
  std::vector<std::string> assignments;
  std::vector<char*> environment;
};

bool Assigns(std::string_view entry, const std::vector<Injection::Variable>& variables) {
  for (const Injection::Variable& variable : variables) {
    if (entry.starts_with(variable.name + "=")) return true;
  }
  return false;
}

Image MakeImage(const std::vector<std::string>& words,
                const std::vector<Injection::Variable>& variables) {
  Image image;
  for (const std::string& word : words) image.arguments.push_back(const_cast<char*>(word.c_str()));
  image.arguments.push_back(nullptr);
  for (const auto& variable : variables) {
    image.assignments.push_back(variable.name + "=" + variable.value);
  }
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (!Assigns(*entry, variables)) image.environment.push_back(*entry);
  }
  for (std::string& assignment : image.assignments) image.environment.push_back(assignment.data());
  image.environment.push_back(nullptr);
  return image;
}

[[noreturn]] void Become(const Image& image, int report, const HeldSignals& signals) {
  signals.Restore();
  execvpe(image.arguments[0], image.arguments.data(), image.environment.data());
  const int error = errno;
  // Nothing can be done if this fails, and then the parent sees an exit code of 127.
  [[maybe_unused]] const ssize_t written = write(report, &error, sizeof error);
  _exit(127);
}

// Reads to the end of `pipe`: an errno value, or nothing when the exec closed it.
int ReadError(int pipe) {
  int error = 0;
  ssize_t size = -1;
  do {
    size = read(pipe, &error, sizeof error);
  } while (size < 0 && errno == EINTR);
  return size == sizeof error ? error : 0;
}

bool IsExecutableFile(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         access(path.c_str(), X_OK) == 0;
}

}  // namespace

Started StartProgram(const std::vector<std::string>& words,
                     const std::vector<Injection::Variable>& variables,
                     const HeldSignals& signals) {
  const Image image = MakeImage(words, variables);
  int pipe[2] = {-1, -1};
  if (pipe2(pipe, O_CLOEXEC) != 0) return {-1, errno};
  const pid_t child = fork();
  if (child == 0) Become(image, pipe[1], signals);
  const int fork_error = errno;
  close(pipe[1]);
  const int error = child < 0 ? fork_error : ReadError(pipe[0]);
  close(pipe[0]);
  if (error == 0) return {child, 0};
  if (child > 0) waitpid(child, nullptr, 0);
  return {-1, error};
}

std::string FindProgram(const std::string& word) {
  if (word.find('/') != std::string::npos) return IsExecutableFile(word) ? word : std::string();
  const char* path = std::getenv("PATH");
  const std::string_view folders = path == nullptr ? "/bin:/usr/bin" : path;
  for (std::size_t at = 0; at <= folders.size() && !word.empty();) {
    const std::size_t end = std::min(folders.find(':', at), folders.size());
    const std::string folder(folders.substr(at, end - at));
    std::string candidate = (folder.empty() ? "." : folder) + "/" + word;
    if (IsExecutableFile(candidate)) return candidate;
    at = end + 1;
  }
  return {};
}

bool IsProgram(const std::string& word) { return !FindProgram(word).empty(); }

}  // namespace coalcheck::cli
