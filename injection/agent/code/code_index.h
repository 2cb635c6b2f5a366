// SPDX-License-Identifier: Apache-2.0
//
// Where each kernel's machine code lies: asked once per kernel, in the cubins that the recording
// holds on disk, so that nothing of them stays in memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "injection/agent/base/device.h"
#include "libcoalcheck/base/mutex.h"
#include "libcoalcheck/machine_code/module_facts.h"

namespace coalcheck::agent {

class CodeIndex final : public KernelCode {
 public:
  Module ModuleLoaded(CubinId id, std::string_view cubin, const std::string& stored) override;
  bool Knows(std::string_view kernel) override;
  bool HasLines(std::string_view kernel) override;
  std::vector<std::string> InlinedFunctions(std::string_view kernel) override;
  Hazard HazardOf(std::string_view kernel) override;
  Accesses AccessesOf(std::string_view kernel, const Launch& launch) override;

 private:
  struct File {
    std::string path;
    bool has_lines = false;
  };
  std::vector<File> FilesOf(std::string_view kernel);
  // Adds the kernels of a module; those of them whose names are known from other code.
  std::vector<std::string_view> Add(const machine_code::ModuleFacts& facts,
                                    const std::string& stored);

  Mutex mutex_;
  std::vector<File> files_ COALCHECK_GUARDED_BY(mutex_);
  std::unordered_set<CubinId> known_ COALCHECK_GUARDED_BY(mutex_);
  // A hash of the kernel's name → which files; two names with one hash ask one file too many.
  std::unordered_multimap<std::size_t, std::uint32_t> file_of_kernel_ COALCHECK_GUARDED_BY(mutex_);
};

}  // namespace coalcheck::agent
