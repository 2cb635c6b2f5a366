// SPDX-License-Identifier: Apache-2.0
//
// What it is, what was counted of it, why it is so and what to do; then its instructions.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "libcoalcheck/base/demangle.h"
#include "libcoalcheck/findings/places/estimate.h"
#include "libcoalcheck/findings/places/worst_part.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/json/json_counts.h"
#include "libcoalcheck/output/json/json_parts.h"

namespace coalcheck::output {
namespace {

using findings::Access;
using findings::CountersPresent;
using findings::Report;
using Json = nlohmann::ordered_json;

Json InstructionJson(const findings::Instruction& instruction, const CountersPresent& present) {
  Json object = {{"cubin", ToHex(instruction.cubin)},
                 {"pc", instruction.pc.value()},
                 {"width_bytes", NumberIf(instruction.width > Bytes(0), instruction.width)},
                 {"generic", instruction.generic},
                 {"ptx", instruction.ptx.empty() ? Json(nullptr) : Json(instruction.ptx)}};
  AddCounts(instruction.counts, present, object);
  object["address"] = AddressJson(instruction);
  return object;
}

// Innermost first, the kernel's own line last; empty when nothing was inlined.
Json InlineJson(const Access& access) {
  Json array = Json::array();
  if (access.chain.size() < 2) return array;
  for (const findings::Frame& frame : access.chain) {
    array.push_back({{"function", Demangle(frame.function)},
                     {"function_mangled", frame.function},
                     {"file", frame.file},
                     {"line", frame.line}});
  }
  return array;
}

Json EstimateJson(const Access& access) {
  const std::optional<findings::Estimate> estimate = findings::EstimateOf(access);
  if (!estimate) return nullptr;
  return {{"wasted_sectors", estimate->wasted.count()},
          {"launches", estimate->launches.count()},
          {"rests_on_launches", estimate->checked.count()},
          {"rests_on_windows", access.windows}};
}

// Launches that were not counted: a prediction, in no sum.
Json UncountedJson(const Report& report, const Access& access) {
  if (!access.uncounted) return nullptr;
  const findings::Counts& counts = access.uncounted->counts;
  Json object = {{"launches", access.uncounted->launches.count()},
                 {"predicted", access.in_scope ? Json(ToString(access.uncounted->word)) : Json()}};
  AddCounts(counts, report.present, object);
  AddWaste(counts, object);
  return object;
}

Json WorstPartJson(const Report& report, const Access& access) {
  const std::optional<findings::WorstPart> worst = findings::WorstPartOf(access);
  if (!worst) return nullptr;
  Json object = {{"of", worst->of}};
  AddCounts(worst->counts, report.present, object);
  AddWaste(worst->counts, object);
  return object;
}

// Of what was predicted; a counted access has none of these keys.
void AddPredicted(const Access& access, Json& object) {
  if (!access.predicted) return;
  const auto text = [](const std::string& words) { return words.empty() ? Json() : Json(words); };
  const findings::Predicted& predicted = *access.predicted;
  object["predicted"] = ToString(predicted.word);
  object["why"] = text(predicted.why);
  object["settled_by"] = text(predicted.settle);
  object["assumed"] = text(predicted.assumed);
  object["lanes_by_data"] = predicted.lanes_by_data;
  object["architecture"] = text(access.sm == 0 ? "" : fmt::format("sm_{}", access.sm));
}

Json MadeFromJson(const Report& report, const Access& access) {
  Json array = Json::array();
  for (const auto& [frame, text] : access.made_from) {
    array.push_back({{"function", frame.function},
                     {"file", frame.file},
                     {"path", words::PathShown(report, frame.file)},
                     {"line", frame.line},
                     {"text", text}});
  }
  return array;
}

}  // namespace

Json AccessJson(const Report& report, const Access& access) {
  Json object = {{"finding", access.is_finding},        {"excuse", ExcuseJson(access.excuse)},
                 {"in_scope", access.in_scope},         {"kernel", Demangle(access.kernel)},
                 {"kernel_mangled", access.kernel},     {"is_kernel", access.is_kernel},
                 {"kind", cubin::ToString(access.kind)}};
  if (access.shown) {
    object["file"] = access.shown->file;
    object["path"] = words::PathShown(report, access.shown->file);
    object["line"] = access.shown->line;
  } else {
    object["file"] = object["path"] = object["line"] = nullptr;
  }
  AddPredicted(access, object);
  object["inline"] = InlineJson(access);
  object["made_from"] = MadeFromJson(report, access);
  object["windows"] = access.windows;
  object["launches_checked"] = access.launches_checked.count();
  object["launches_predicted"] = (access.launches_known() - access.launches_checked).count();
  object["launches"] = access.launches.count();
  AddCounts(access.counts, report.present, object);
  AddWaste(access.counts, object);
  object["uncounted"] = UncountedJson(report, access);
  object["estimate"] = EstimateJson(access);
  object["per_request"] = PerRequestJson(access.counts, report.present);
  object["patterns"] = PatternsJson(access.patterns, report.present);
  object["cost"] = AccessCostJson(report, access);
  object["worst_part"] = WorstPartJson(report, access);
  const auto number = static_cast<std::size_t>(&access - report.accesses.data());
  object["changes"] = access.is_finding ? ChangesJson(report, number) : Json();
  object["instructions"] = Json::array();
  for (const findings::Instruction& instruction : access.instructions) {
    object["instructions"].push_back(InstructionJson(instruction, report.present));
  }
  return object;
}

}  // namespace coalcheck::output
