// SPDX-License-Identifier: Apache-2.0
//
// Decides which frames are the user's, by their paths.
#include "libcoalcheck/cubin/line_shown.h"

#include <algorithm>

namespace coalcheck::cubin {
namespace {

// `file` without `.`, `..` and doubled slashes: compilers write `bin/../include`. Only the text is
// changed; the disk is not read. A relative path keeps the `..` that lead out of it.
std::string Normalize(std::string_view file) {
  std::string path = file.starts_with('/') ? "/" : "";
  const std::size_t root = path.size();
  for (std::size_t at = 0; at < file.size();) {
    const std::size_t end = std::min(file.find('/', at), file.size());
    const std::string_view part = file.substr(at, end - at);
    at = end + 1;
    if (part.empty() || part == ".") continue;
    const std::size_t parent = path.size() == root ? root : path.find_last_of('/') + 1;
    const bool can_go_up = path.size() > root && path.substr(parent) != "..";
    if (part == ".." && (can_go_up || root == 1)) {
      path.resize(parent > root ? parent - 1 : root);
      continue;
    }
    if (path.size() > root) path += '/';
    path += part;
  }
  return path;
}

// Does `path` have the folder `name`, anywhere?
bool HasFolder(std::string_view path, std::string_view name) {
  for (std::size_t at = path.find(name); at != std::string_view::npos;
       at = path.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if (at > 0 && path[at - 1] == '/' && end < path.size() && path[end] == '/') return true;
  }
  return false;
}

bool Holds(const std::string& folder, const std::string& path) {
  if (folder == "/") return path.starts_with('/');
  return !folder.empty() && path.size() > folder.size() + 1 && path.starts_with(folder) &&
         path[folder.size()] == '/';
}

const SourceFrame* FirstOf(std::span<const SourceFrame> frames, const std::vector<bool>& wanted) {
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (wanted[i]) return &frames[i];
  }
  return nullptr;
}

}  // namespace

std::string TidyPath(std::string_view file) {
  std::string path = file.starts_with('/') ? "/" : "";
  for (std::size_t at = 0; at < file.size();) {
    const std::size_t end = std::min(file.find('/', at), file.size());
    const std::string_view part = file.substr(at, end - at);
    at = end + 1;
    if (part.empty() || part == ".") continue;
    if (!path.empty() && path.back() != '/') path += '/';
    path += part;
  }
  return path.empty() ? std::string(file) : path;
}

std::vector<SourceFrame> DropImpossibleFrames(std::span<const SourceFrame> frames,
                                              SourceText& sources) {
  std::vector<SourceFrame> kept;
  for (const SourceFrame& frame : frames) {
    const std::optional<std::uint32_t> lines = sources.LineCount(frame.file);
    if (!lines || frame.line <= *lines) kept.push_back(frame);
  }
  return kept;
}

bool IsInstalledFile(std::string_view file) {
  const std::string path = Normalize(file);
  for (const std::string_view prefix : {"/usr/", "/opt/nvidia/", "/opt/cuda/", "/opt/conda/"}) {
    if (path.starts_with(prefix)) return !path.starts_with("/usr/src/");
  }
  for (const std::string_view folder :
       {"site-packages", "dist-packages", "targets/x86_64-linux/include",
        "targets/sbsa-linux/include", "targets/aarch64-linux/include", "include/cccl"}) {
    if (HasFolder(path, folder)) return true;
  }
  return false;
}

bool IsUnderRoot(std::string_view file, const SourceScope& scope) {
  if (scope.files.contains(file) || scope.files.contains(file.substr(file.rfind('/') + 1))) {
    return true;
  }
  const std::string path = Normalize(file);
  return Holds(scope.root, path) || std::ranges::any_of(scope.further, [&](const auto& folder) {
           return Holds(folder, path);
         });
}

const SourceFrame* LineShown(std::span<const SourceFrame> frames, const SourceScope& scope) {
  std::vector<bool> own(frames.size());
  std::vector<bool> under_root(frames.size());
  for (std::size_t i = 0; i < frames.size(); ++i) {
    own[i] = !IsInstalledFile(frames[i].file);
    under_root[i] = own[i] && IsUnderRoot(frames[i].file, scope);
  }
  if (const SourceFrame* frame = FirstOf(frames, under_root)) return frame;
  if (const SourceFrame* frame = FirstOf(frames, own)) return frame;
  return frames.empty() ? nullptr : &frames.front();
}

}  // namespace coalcheck::cubin
