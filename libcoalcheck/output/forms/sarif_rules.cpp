// SPDX-License-Identifier: Apache-2.0
//
// The same sentences for every kind, as code scanning shows them beside an alert.
#include "libcoalcheck/output/forms/sarif_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "libcoalcheck/cubin/access_kind.h"
#include "libcoalcheck/output/view/finding_list.h"

namespace coalcheck::output {
namespace {

using cubin::AccessKind;
using Json = nlohmann::ordered_json;

constexpr AccessKind kKinds[] = {AccessKind::kLoad, AccessKind::kStore, AccessKind::kAtomic,
                                 AccessKind::kReduction, AccessKind::kAsyncCopy};

Json RuleJson(AccessKind kind) {
  const std::string_view name = cubin::ToString(kind);
  const std::string help = fmt::format(
      "The 32 lanes of a warp run each {} together, and memory serves them in sectors of 32 bytes. "
      "Lanes whose addresses lie apart touch sectors of which they use little. Counts of a run are "
      "exact for the launches that were checked; what is predicted says so. Let consecutive lanes "
      "take consecutive elements; the result "
      "names the pattern that was found and the remedy for it.",
      name);
  return {
      {"id", RuleOf(kind)},
      {"shortDescription", {{"text", fmt::format("Uncoalesced {} in a GPU kernel", name)}}},
      {"fullDescription",
       {{"text", fmt::format("Warps touch more 32-byte sectors of global memory in this {} than "
                             "the bytes they ask for would fill.",
                             name)}}},
      {"help", {{"text", help}, {"markdown", help}}},
      {"defaultConfiguration", {{"level", "warning"}}},
      {"properties",
       {{"tags", {"performance", "cuda"}},
        {"precision", "very-high"},
        {"problem.severity", "warning"}}}};
}

}  // namespace

Json SarifRules() {
  Json rules = Json::array();
  for (const AccessKind kind : kKinds) rules.push_back(RuleJson(kind));
  return rules;
}

std::size_t SarifRuleIndex(AccessKind kind) {
  return static_cast<std::size_t>(std::ranges::find(kKinds, kind) - std::begin(kKinds));
}

}  // namespace coalcheck::output
