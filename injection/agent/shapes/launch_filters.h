// SPDX-License-Identifier: Apache-2.0
//
// What the user's filters say of kernels and ranges, and which of them fitted anything.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "injection/agent/shapes/shape_entry.h"
#include "libcoalcheck/options/agent_options.h"

namespace coalcheck::agent {

// Collectives spin until their peers arrive; holding one in a window can hold up its peer for good.
// `kernel`: mangled or plain.
bool IsCollective(std::string_view kernel);

// One thread at a time.
class LaunchFilters {
 public:
  explicit LaunchFilters(options::Filters filters);

  // Whether the kernel must never be held, and whether --kernel leaves it out. `kernel`: mangled.
  struct KernelRuling {
    bool excluded = false;
    bool selected = true;
  };
  KernelRuling RuleOnKernel(const std::string& kernel);
  // The same by the functions that were inlined into it: selected where --kernel fits one of them,
  // excluded where --kernel-exclude does. `functions`: mangled.
  KernelRuling RuleOnInlined(const std::vector<std::string>& functions);
  bool ExcludesKernels() const { return !filters_.kernel_exclude.empty(); }
  // Why a launch made in these ranges is left out; empty: it is selected. Autotuning is left out
  // unless --nvtx-include names it.
  std::optional<Skip> LeavesOut(std::span<const OpenRange> open);

  // The filters that have fitted nothing, with the nearest names that were seen.
  std::vector<recording::Unmatched> Unmatched() const;

 private:
  const options::Filters filters_;
  // Parallel to the filters.
  std::vector<bool> kernel_matched_;
  std::vector<bool> kernel_exclude_matched_;
  std::vector<bool> nvtx_include_matched_;
  std::vector<bool> nvtx_exclude_matched_;
  // Names for Unmatched, at most kMostNames of each.
  static constexpr std::size_t kMostNames = 2000;
  std::set<std::string> kernels_seen_;
  std::set<std::string> ranges_seen_;
};

}  // namespace coalcheck::agent
