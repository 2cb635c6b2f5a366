// SPDX-License-Identifier: Apache-2.0
//
// Texts as they are, lines as file and number.
#include "libcoalcheck/base/demangle.h"
#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/json/json_parts.h"

namespace coalcheck::output {

using Json = nlohmann::ordered_json;

Json AddressJson(const findings::Instruction& instruction) {
  const findings::AddressText& address = instruction.address_text;
  const auto text = [](const std::string& words) { return words.empty() ? Json() : Json(words); };
  Json object = {{"expression", text(address.expression)}, {"lanes", text(address.lanes)}};
  object["index_loads"] = Json::array();
  for (const findings::Frame& line : address.loads) {
    object["index_loads"].push_back({{"file", line.file}, {"line", line.line}});
  }
  if (instruction.standing) {
    object["standing"] = findings::ToString(*instruction.standing);
    object["standing_why"] = text(instruction.standing_why);
    object["totals_held"] = instruction.totals_held;
    object["all_blocks_evaluated"] = instruction.all_blocks;
  }
  return object;
}

namespace {

// Instructions by the line of a kernel. They are seen in the machine code, and not counted.
template <typename Row>
Json UncountedRows(const findings::Report& report, const std::vector<Row>& rows) {
  Json array = Json::array();
  for (const Row& row : rows) {
    Json object = {{"kernel", Demangle(row.kernel)}, {"kernel_mangled", row.kernel}};
    object["file"] = row.shown ? Json(row.shown->file) : Json();
    object["path"] = row.shown ? Json(words::PathShown(report, row.shown->file)) : Json();
    object["line"] = row.shown ? Json(row.shown->line) : Json();
    object["load_instructions"] = row.loads;
    object["store_instructions"] = row.stores;
    if constexpr (requires { row.reductions; }) {
      object["reduction_instructions"] = row.reductions;
    }
    array.push_back(std::move(object));
  }
  return array;
}

}  // namespace

Json BulkCopiesJson(const findings::Report& report) {
  return UncountedRows(report, report.bulk_copies);
}

Json LocalMemoryJson(const findings::Report& report) {
  return UncountedRows(report, report.local_memory);
}

}  // namespace coalcheck::output
