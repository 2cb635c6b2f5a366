// SPDX-License-Identifier: Apache-2.0
//
// The search for libcupti, and for nvperf beside it.
#include "injection/cupti/cupti_search.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <glob.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>
#include <vector>

#include "injection/agent/process/process_facts.h"

namespace coalcheck::cupti {
namespace {

constexpr std::array kSonames = {"libcupti.so.13", "libcupti.so.12"};

std::string PathOf(void* handle, const std::string& fallback) {
  Dl_info info{};
  void* symbol = dlsym(handle, "cuptiGetVersion");
  if (symbol == nullptr || dladdr(symbol, &info) == 0 || info.dli_fname == nullptr) return fallback;
  return info.dli_fname;
}

// libcupti opens nvperf by its bare name, which finds it only where the linker looks anyway.
// RTLD_LOCAL: its symbols must not stand in for libcupti's own.
void OpenNvperfBeside(const std::string& cupti) {
  const std::string folder = cupti.substr(0, cupti.rfind('/') + 1);
  dlopen((folder + "libnvperf_host.so").c_str(), RTLD_NOW | RTLD_LOCAL);
}

OpenedCupti OpenFile(const std::string& path) {
  OpenNvperfBeside(path);
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  return {handle, path};
}

// `how`: RTLD_NOLOAD for a copy that is loaded already, RTLD_LOCAL for any that the linker finds.
OpenedCupti OpenBySoname(int how) {
  for (const char* soname : kSonames) {
    if (void* handle = dlopen(soname, RTLD_NOW | how)) {
      const std::string path = PathOf(handle, soname);
      OpenNvperfBeside(path);
      return {handle, path};
    }
  }
  return {};
}

std::vector<std::string> Glob(const std::string& pattern) {
  glob_t found{};
  std::vector<std::string> paths;
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0) {
    paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  }
  globfree(&found);
  std::ranges::reverse(paths);  // the newest version sorts last
  return paths;
}

// Folders of site-packages that libraries of this process were loaded from.
std::vector<std::string> LoadedSitePackages() {
  std::ifstream maps("/proc/self/maps");
  std::vector<std::string> folders;
  for (std::string line; std::getline(maps, line);) {
    for (const std::string_view mark : {"/site-packages/", "/dist-packages/"}) {
      const std::size_t start = line.find('/');
      const std::size_t at = line.find(mark);
      if (start == std::string::npos || at == std::string::npos) continue;
      const std::string folder = line.substr(start, at - start + mark.size() - 1);
      if (std::ranges::find(folders, folder) == folders.end()) folders.push_back(folder);
    }
  }
  return folders;
}

std::vector<std::string> ToolkitPatterns() {
  std::vector<std::string> roots;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"}) {
    if (std::string root = agent::Environment(name); !root.empty()) roots.push_back(root);
  }
  roots.insert(roots.end(), {"/usr/local/cuda", "/usr/local/cuda-13*", "/opt/cuda"});
  std::vector<std::string> patterns;
  for (const std::string& root : roots) {
    for (const char* folder :
         {"/extras/CUPTI/lib64", "/lib64", "/lib", "/targets/x86_64-linux/lib"}) {
      patterns.push_back(root + folder);
    }
  }
  return patterns;
}

std::vector<std::string> PythonPatterns() {
  std::vector<std::string> roots = LoadedSitePackages();
  for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    const std::string root = agent::Environment(name);
    if (!root.empty()) roots.push_back(root + "/lib/python3*/site-packages");
    if (!root.empty()) roots.push_back(root);
  }
  std::vector<std::string> patterns;
  for (const std::string& root : roots) {
    for (const char* folder : {"/nvidia/cu13/lib", "/nvidia/cuda_cupti/lib", "/lib"}) {
      patterns.push_back(root + folder);
    }
  }
  return patterns;
}

OpenedCupti OpenInFolders(const std::vector<std::string>& patterns) {
  for (const std::string& pattern : patterns) {
    for (const char* soname : kSonames) {
      for (const std::string& path : Glob(pattern + "/" + soname)) {
        if (OpenedCupti attempt = OpenFile(path); attempt.handle != nullptr) return attempt;
      }
    }
  }
  return {};
}

OpenedCupti OpenNamed(const std::string& path) {
  if (path.empty()) return {};
  struct stat status {};
  const bool is_folder = stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
  return is_folder ? OpenInFolders({path}) : OpenFile(path);
}

}  // namespace

Result<OpenedCupti> FindCupti(const std::string& cupti_path) {
  OpenedCupti attempt = OpenBySoname(RTLD_NOLOAD);
  if (attempt.handle == nullptr) attempt = OpenNamed(cupti_path);
  if (attempt.handle == nullptr) attempt = OpenBySoname(RTLD_LOCAL);
  if (attempt.handle == nullptr) attempt = OpenInFolders(ToolkitPatterns());
  if (attempt.handle == nullptr) attempt = OpenInFolders(PythonPatterns());
  if (attempt.handle != nullptr) return attempt;
  return Error{fmt::format(
      "libcupti.so.13 was not found: not in the process, {}, not where the dynamic linker looks, "
      "not in CUDA_HOME, CUDA_PATH, /usr/local/cuda*, /opt/cuda, and not in Python's nvidia "
      "packages; name it with COALCHECK_CUPTI_PATH",
      cupti_path.empty() ? "COALCHECK_CUPTI_PATH is not set"
                         : fmt::format("not at COALCHECK_CUPTI_PATH={}", cupti_path))};
}

}  // namespace coalcheck::cupti
