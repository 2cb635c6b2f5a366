// SPDX-License-Identifier: Apache-2.0
//
// A cubin is mapped while one question about it is answered; only the pages that the answer needs
// are read.
#include "injection/agent/code/code_index.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "libcoalcheck/base/mapped_file.h"
#include "libcoalcheck/cubin/inlined_functions.h"
#include "libcoalcheck/machine_code/access_rounds.h"
#include "libcoalcheck/machine_code/waiting_signs.h"

namespace coalcheck::agent {
namespace {

std::size_t HashOf(std::string_view kernel) { return std::hash<std::string_view>{}(kernel); }

KernelCode::Hazard HazardOfSigns(machine_code::WaitingSigns signs) {
  if (signs.Has(machine_code::WaitingSign::kOtherLanes)) return KernelCode::Hazard::kOtherLanes;
  return signs.any() ? KernelCode::Hazard::kMayWait : KernelCode::Hazard::kNone;
}

KernelCode::Hazard HazardIn(std::string_view cubin, std::string_view kernel) {
  return HazardOfSigns(machine_code::FindWaitingSigns(cubin, kernel));
}

}  // namespace

KernelCode::Module CodeIndex::ModuleLoaded(CubinId id, std::string_view cubin,
                                           const std::string& stored) {
  {
    const MutexLock lock(mutex_);
    if (!known_.insert(id).second) return {};
  }
  const machine_code::ModuleFacts facts = machine_code::DescribeModule(cubin);
  Module module{.launches_from_device = facts.launches_from_device, .warnings = {}};
  // The names are known from other code: a hazard in this code is a warning.
  const std::vector<std::string_view> known = Add(facts, stored);
  if (known.empty()) return module;
  machine_code::WaitingSignFinder finder(cubin);
  for (const std::string_view kernel : known) {
    const Hazard hazard = HazardOfSigns(finder.Find(kernel));
    if (hazard != Hazard::kNone) module.warnings.push_back({std::string(kernel), hazard});
  }
  return module;
}

std::vector<std::string_view> CodeIndex::Add(const machine_code::ModuleFacts& facts,
                                             const std::string& stored) {
  const MutexLock lock(mutex_);
  const auto file = static_cast<std::uint32_t>(files_.size());
  files_.push_back({stored, facts.has_lines});
  std::vector<std::string_view> known;
  std::unordered_set<std::string_view> seen;  // a module may name a kernel twice
  for (const std::string_view kernel : facts.kernels) {
    if (!seen.insert(kernel).second) continue;
    if (file_of_kernel_.contains(HashOf(kernel))) known.push_back(kernel);
    file_of_kernel_.emplace(HashOf(kernel), file);
  }
  return known;
}

// A name can stand in several modules; a launch does not say in which one it is.
std::vector<CodeIndex::File> CodeIndex::FilesOf(std::string_view kernel) {
  const MutexLock lock(mutex_);
  std::vector<File> files;
  const auto [first, last] = file_of_kernel_.equal_range(HashOf(kernel));
  for (auto at = first; at != last; ++at) files.push_back(files_[at->second]);
  return files;
}

bool CodeIndex::Knows(std::string_view kernel) {
  const MutexLock lock(mutex_);
  return file_of_kernel_.contains(HashOf(kernel));
}

bool CodeIndex::HasLines(std::string_view kernel) {
  const std::vector<File> files = FilesOf(kernel);
  return files.empty() || std::ranges::any_of(files, &File::has_lines);
}

std::vector<std::string> CodeIndex::InlinedFunctions(std::string_view kernel) {
  std::vector<std::string> functions;
  for (const File& file : FilesOf(kernel)) {
    const MappedFile mapped(file.path, Links::kRefuse);
    for (std::string& name : cubin::InlinedFunctions(mapped.bytes(), kernel)) {
      functions.push_back(std::move(name));
    }
  }
  return functions;
}

KernelCode::Hazard CodeIndex::HazardOf(std::string_view kernel) {
  const std::vector<File> files = FilesOf(kernel);
  Hazard worst = files.empty() ? Hazard::kMayWait : Hazard::kNone;
  for (const File& file : files) {
    const MappedFile mapped(file.path, Links::kRefuse);
    worst = std::max(worst, HazardIn(mapped.bytes(), kernel));
  }
  return worst;
}

KernelCode::Accesses CodeIndex::AccessesOf(std::string_view kernel, const Launch& launch) {
  const machine_code::LaunchSize size{
      .grid = launch.grid, .block = launch.block, .parameters = launch.parameters};
  const std::vector<File> files = FilesOf(kernel);
  Accesses most{.of_a_thread = 0, .share = 0, .in_loops = files.empty()};
  for (const File& file : files) {
    const MappedFile mapped(file.path, Links::kRefuse);
    const auto rounds = machine_code::CountAccessRounds(mapped.bytes(), kernel, size);
    most.in_loops = most.in_loops || !rounds || rounds->in_loops;
    if (!rounds || rounds->instructions <= 0) continue;
    most.of_a_thread = std::max(most.of_a_thread, rounds->accesses);
    most.share = std::max(most.share, rounds->accesses / rounds->instructions);
  }
  return most;
}

}  // namespace coalcheck::agent
