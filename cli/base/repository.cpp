// SPDX-License-Identifier: Apache-2.0
//
// Goes along a path as the system would, from folder to folder.
#include "cli/base/repository.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

namespace coalcheck::cli {
namespace {

namespace fs = std::filesystem;

bool IsBelow(const fs::path& path, const std::string& folder) {
  const std::string text = path.string();
  return text == folder || text.starts_with(folder == "/" ? folder : folder + "/");
}

// Whether `folder` has a `.git` that the user, root or the owner of `folder` made: in a shared
// folder such as /tmp, anybody can make one.
bool IsGitTop(const fs::path& folder) {
  struct stat git {};
  struct stat own {};
  if (lstat((folder / ".git").c_str(), &git) != 0 || stat(folder.c_str(), &own) != 0) return false;
  return git.st_uid == geteuid() || git.st_uid == 0 || git.st_uid == own.st_uid;
}

// Whether it lies in a hidden folder below `top` that `from` does not lie in.
bool EntersHidden(const std::string& real, const std::string& top, const fs::path& from) {
  const std::size_t begin = real.rfind("/.");
  if (begin == std::string::npos || begin + 1 < top.size()) return false;
  return !IsBelow(from, real.substr(0, real.find('/', begin + 1)));
}

}  // namespace

std::string NormalPath(const std::string& path) {
  std::string text = fs::path(path).lexically_normal().string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

std::string GitTop(const std::string& folder) {
  for (fs::path at = folder; !at.empty(); at = at.parent_path()) {
    if (IsGitTop(at)) return NormalPath(at.string());
    if (at == at.root_path()) break;
  }
  return {};
}

Way WayOf(const std::string& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  fs::path at = absolute.root_path();
  for (const fs::path& part : absolute.relative_path()) {
    if (part == "..") at = at.parent_path();
    if (part == ".." || part == "." || part.empty()) continue;
    const fs::path next = at / part;
    if (!fs::is_symlink(next, error)) {
      at = next;
      continue;
    }
    const fs::path real = fs::weakly_canonical(next, error);
    const std::string top = GitTop(at.string());
    if (!top.empty() && (!IsBelow(real, top) || EntersHidden(real.string(), top, at))) {
      return {real.string(), next.string()};
    }
    at = real;
  }
  return {at.string(), {}};
}

std::string WhyOutOfRepository(const std::string& path) {
  const Way way = WayOf(path);
  if (way.link.empty()) return {};
  const std::string top = GitTop(fs::path(way.link).parent_path().string());
  return fmt::format("through the link {} it leads {} its repository, to {}", way.link,
                     IsBelow(way.real, top) ? "into a hidden folder of" : "out of", way.real);
}

}  // namespace coalcheck::cli
