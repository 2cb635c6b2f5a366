// SPDX-License-Identifier: Apache-2.0
//
// Every filter is asked, also behind one that fits: each is to know whether it ever did.
#include "injection/agent/shapes/launch_filters.h"

#include <algorithm>
#include <utility>

#include "libcoalcheck/base/demangle.h"
#include "libcoalcheck/options/nearest.h"

namespace coalcheck::agent {
namespace {

// Whether any of the filters fits, each of which is marked.
template <typename Filter, typename Subject>
bool AnyFits(const std::vector<Filter>& filters, const Subject& subject,
             std::vector<bool>& matched) {
  bool any = false;
  for (std::size_t i = 0; i < filters.size(); ++i) {
    if (!filters[i].Matches(subject)) continue;
    any = true;
    matched[i] = true;
  }
  return any;
}

template <typename Filter>
void AddUnmatched(std::string_view option, const std::vector<Filter>& filters,
                  const std::vector<bool>& matched, const std::set<std::string>& seen,
                  std::vector<recording::Unmatched>& unmatched) {
  const std::vector<std::string> names(seen.begin(), seen.end());
  for (std::size_t i = 0; i < filters.size(); ++i) {
    if (matched[i]) continue;
    unmatched.push_back(
        {std::string(option), filters[i].text(), options::NearestFew(filters[i].text(), names)});
  }
}

}  // namespace

// Collectives spin until their peers arrive; holding one in a window can hold up its peer for good.
bool IsCollective(std::string_view kernel) {
  for (const std::string_view prefix : {"nccl", "nvshmem"}) {
    // Also behind the Itanium length prefix: _Z20ncclDevKernel…
    const std::size_t at = kernel.find(prefix);
    if (at == std::string_view::npos || at > 6) continue;
    const std::string_view before = kernel.substr(0, at);
    if (before.empty() || (before.substr(0, 2) == "_Z" &&
                           before.find_first_not_of("0123456789LN", 2) == std::string_view::npos)) {
      return true;
    }
  }
  return false;
}

LaunchFilters::LaunchFilters(options::Filters filters)
    : filters_(std::move(filters)),
      kernel_matched_(filters_.kernel.size()),
      kernel_exclude_matched_(filters_.kernel_exclude.size()),
      nvtx_include_matched_(filters_.nvtx_include.size()),
      nvtx_exclude_matched_(filters_.nvtx_exclude.size()) {}

LaunchFilters::KernelRuling LaunchFilters::RuleOnKernel(const std::string& kernel) {
  KernelRuling ruling{.excluded = IsCollective(kernel)};
  if (filters_.kernel.empty() && filters_.kernel_exclude.empty()) return ruling;
  const std::string readable = Demangle(kernel);
  if (kernels_seen_.size() < kMostNames) {
    kernels_seen_.insert(selection::QualifiedName(readable));
  }
  if (AnyFits(filters_.kernel_exclude, readable, kernel_exclude_matched_)) ruling.excluded = true;
  ruling.selected = AnyFits(filters_.kernel, readable, kernel_matched_) || filters_.kernel.empty();
  return ruling;
}

LaunchFilters::KernelRuling LaunchFilters::RuleOnInlined(
    const std::vector<std::string>& functions) {
  KernelRuling ruling{.excluded = false, .selected = false};
  for (const std::string& function : functions) {
    const std::string readable = Demangle(function);
    if (AnyFits(filters_.kernel, readable, kernel_matched_)) ruling.selected = true;
    if (AnyFits(filters_.kernel_exclude, readable, kernel_exclude_matched_)) ruling.excluded = true;
  }
  return ruling;
}

std::optional<Skip> LaunchFilters::LeavesOut(std::span<const OpenRange> open) {
  const bool wants_tuning = std::ranges::any_of(
      filters_.nvtx_include, [](const auto& one) { return one.Mentions(kAutotuningRange); });
  const bool is_tuning = !wants_tuning && std::ranges::any_of(open, IsAutotuning);
  std::optional<Skip> tuning;
  if (is_tuning) tuning = Skip::kAutotuning;
  if (!filters_.by_ranges()) return tuning;
  for (const OpenRange& range : open) {
    if (ranges_seen_.size() < kMostNames) ranges_seen_.insert(range.name);
  }
  const bool included =
      AnyFits(filters_.nvtx_include, open, nvtx_include_matched_) || filters_.nvtx_include.empty();
  const bool excluded = AnyFits(filters_.nvtx_exclude, open, nvtx_exclude_matched_);
  return excluded || !included ? Skip::kOutsideRanges : tuning;
}

std::vector<recording::Unmatched> LaunchFilters::Unmatched() const {
  std::vector<recording::Unmatched> unmatched;
  AddUnmatched("kernel", filters_.kernel, kernel_matched_, kernels_seen_, unmatched);
  AddUnmatched("kernel-exclude", filters_.kernel_exclude, kernel_exclude_matched_, kernels_seen_,
               unmatched);
  AddUnmatched("nvtx-include", filters_.nvtx_include, nvtx_include_matched_, ranges_seen_,
               unmatched);
  AddUnmatched("nvtx-exclude", filters_.nvtx_exclude, nvtx_exclude_matched_, ranges_seen_,
               unmatched);
  return unmatched;
}

}  // namespace coalcheck::agent
