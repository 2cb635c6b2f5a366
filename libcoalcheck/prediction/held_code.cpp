// SPDX-License-Identifier: Apache-2.0
//
// Reads cubin by cubin, and gives launches to kernels by name where that is certain.
#include "libcoalcheck/prediction/held_code.h"

#include <absl/container/flat_hash_map.h>
#include <absl/hash/hash.h>
#include <absl/strings/str_join.h>
#include <fmt/format.h>

#include <cstddef>
#include <set>
#include <vector>

#include "libcoalcheck/address/access_formulas.h"
#include "libcoalcheck/prediction/kernel_text.h"

namespace coalcheck::prediction {
namespace {

constexpr std::size_t kMostAmbiguous = 8;

// Tells what the functions of a module that are no kernels were compiled from.
std::size_t HashOfFunctions(std::string_view ptx, const ptx::Module& module) {
  std::string text;
  for (const ptx::Module::Entry& one : module.functions()) {
    if (!one.is_kernel) text += ComparableText(ptx.substr(one.begin, one.end - one.begin));
  }
  return absl::HashOf(text);
}

using ModuleHashes = absl::flat_hash_map<const ptx::Module*, std::size_t>;

// What the kernel was compiled from; empty where that is not known. One that calls functions
// differs where any function of its module does.
std::string TextOf(const cubin::Function& kernel, address::PtxModules& modules,
                   ModuleHashes& hashes) {
  const ptx::Module* module = modules.Of(kernel);
  const ptx::Module::Entry* entry = module == nullptr ? nullptr : module->Find(kernel.name);
  if (entry == nullptr) return {};
  std::string text =
      ComparableText(kernel.ptx_text.substr(entry->begin, entry->end - entry->begin));
  if (text.find("call") == std::string::npos) return text;
  const auto [found, is_new] = hashes.try_emplace(module);
  if (is_new) found->second = HashOfFunctions(kernel.ptx_text, *module);
  return text + std::to_string(found->second);
}

}  // namespace

absl::StatusOr<HeldCode> HeldCode::Read(HeldCubins cubins, std::uint32_t sm,
                                        KnownLaunches launches) {
  HeldCode code;
  std::set<std::string> others;
  for (auto& [id, held] : cubins.all()) {
    absl::StatusOr<cubin::Cubin> parsed = cubin::Cubin::ParseCode(std::move(held.bytes));
    if (!parsed.ok()) {
      const std::string why(parsed.status().message());
      code.problems_.push_back(fmt::format("{}: {}", held.file, why));
      if (code.why_unread_.empty()) code.why_unread_ = code.problems_.back();
    } else if (sm != 0 && parsed->sm() != sm) {
      others.insert(fmt::format("sm_{}", parsed->sm()));
    } else {
      code.cubins_.emplace(id, *std::move(parsed));
    }
  }
  if (code.cubins_.empty() && !others.empty()) {
    return absl::InvalidArgumentError(fmt::format("--arch sm_{}: the files hold code for {} alone",
                                                  sm, absl::StrJoin(others, ", ")));
  }
  const std::vector<HeldKernel> kernels = code.Kernels(cubins);
  Result<MatchedLaunches> matched = MatchByHand(launches.by_hand, kernels);
  if (!matched.ok()) return absl::InvalidArgumentError("--launch: " + matched.error());
  for (auto& [name, its] : matched.value().kernels) code.by_hand_.emplace(name, its);
  for (const std::string& name : matched.value().unmatched) {
    code.problems_.push_back(fmt::format("--launch fits no kernel: {}", name));
  }
  for (auto& [name, its] : launches.recorded) code.recorded_.emplace(name, std::move(its));
  if (launches.of_any) code.of_any_.launches.push_back(*std::move(launches.of_any));
  code.ambiguous_ = AmbiguousNames(kernels);
  code.NoteAmbiguous();
  code.NoteFunctions();
  for (const auto& [name, files] : code.ambiguous_) code.Split(name);
  code.NoteRecorded(kernels);
  return code;
}

// Texts are compared only where several cubins for one architecture hold the same name.
std::vector<HeldKernel> HeldCode::Kernels(const HeldCubins& held) const {
  std::map<std::pair<std::uint32_t, std::string_view>, int> times;
  for (const auto& [id, cubin] : cubins_) {
    for (const cubin::Function& one : cubin.functions()) {
      if (one.is_kernel) ++times[{cubin.sm(), one.name}];
    }
  }
  std::vector<HeldKernel> kernels;
  for (const auto& [id, cubin] : cubins_) {
    const std::string& file = held.all().at(id).file;
    address::PtxModules modules;
    ModuleHashes hashes;
    for (const cubin::Function& one : cubin.functions()) {
      if (!one.is_kernel) continue;
      const bool is_one = times.at({cubin.sm(), one.name}) == 1;
      kernels.push_back({std::string(one.name), file, cubin.sm(),
                         is_one ? std::string() : TextOf(one, modules, hashes)});
    }
  }
  return kernels;
}

// What a function asks for depends on its kernels, which may be others in each file.
void HeldCode::NoteFunctions() {
  std::set<std::pair<std::uint32_t, std::string_view>> found;
  for (const auto& [id, cubin] : cubins_) {
    for (const cubin::Function& one : cubin.functions()) {
      if (one.is_kernel || one.accesses.empty()) continue;
      if (!found.insert({cubin.sm(), one.name}).second) functions_.emplace(one.name);
    }
  }
}

void HeldCode::NoteAmbiguous() {
  std::size_t named = 0;
  for (const auto& [name, files] : ambiguous_) {
    if (named++ == kMostAmbiguous) {
      problems_.push_back(
          fmt::format("so are {} more names of kernels", ambiguous_.size() - kMostAmbiguous));
      return;
    }
    problems_.push_back(fmt::format("{} is the name of different kernels, in {}", SignatureOf(name),
                                    absl::StrJoin(files, ", ")));
  }
}

// Leaves recorded launches to the cubins that they were of.
void HeldCode::Split(const std::string& name) {
  const auto recorded = recorded_.find(name);
  if (recorded == recorded_.end()) return;
  std::set<std::string> lost;
  for (const KnownLaunch& launch : recorded->second.launches) {
    bool is_held = false;
    for (const CubinId id : launch.cubins) {
      if (!cubins_.contains(id)) continue;
      of_cubin_[{id, name}].launches.push_back(launch);
      is_held = true;
    }
    if (!is_held) lost.insert(launch.origin);
  }
  for (const std::string& origin : lost) {
    problems_.push_back(
        fmt::format("launches of {} in {} were left out: different kernels have that name",
                    SignatureOf(name), origin));
  }
  recorded_.erase(recorded);
}

void HeldCode::NoteRecorded(const std::vector<HeldKernel>& kernels) {
  std::set<std::string_view> names;
  for (const HeldKernel& one : kernels) names.insert(one.name);
  std::map<std::string, std::set<std::string_view>> unknown;  // by recording
  for (const auto& [name, its] : recorded_) {
    if (!names.contains(name)) unknown[its.launches.front().origin].insert(name);
  }
  for (const auto& [origin, its] : unknown) {
    problems_.push_back(fmt::format("{}: {} of its kernels {} in none of the files: {}{}", origin,
                                    its.size(), its.size() == 1 ? "is" : "are",
                                    SignatureOf(*its.begin()), its.size() == 1 ? "" : ", …"));
  }
}

const LaunchesOfKernel* HeldCode::LaunchesOf(CubinId cubin, std::string_view kernel,
                                             const LaunchesOfKernel& by_source) const {
  if (const auto found = by_hand_.find(kernel); found != by_hand_.end()) return &found->second;
  if (const auto found = recorded_.find(kernel); found != recorded_.end()) return &found->second;
  const auto own = of_cubin_.find({cubin, std::string(kernel)});
  if (own != of_cubin_.end()) return &own->second;
  if (!by_source.launches.empty()) return &by_source;
  return of_any_.launches.empty() ? nullptr : &of_any_;
}

}  // namespace coalcheck::prediction
