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

// Bulk copies of one line of a kernel, which are not counted.
template <typename Row>
Json UncountedRow(const findings::Report& report, const Row& row) {
  Json object = {{"kernel", Demangle(row.kernel)}, {"kernel_mangled", row.kernel}};
  object["file"] = row.shown ? Json(row.shown->file) : Json();
  object["path"] = row.shown ? Json(words::PathShown(report, row.shown->file)) : Json();
  object["line"] = row.shown ? Json(row.shown->line) : Json();
  return object;
}

}  // namespace

Json BulkCopiesJson(const findings::Report& report) {
  Json array = Json::array();
  for (const findings::BulkCopies& row : report.bulk_copies) {
    Json object = UncountedRow(report, row);
    object["load_instructions"] = row.loads;
    object["store_instructions"] = row.stores;
    object["reduction_instructions"] = row.reductions;
    array.push_back(std::move(object));
  }
  return array;
}

Json LocalMemoryJson(const findings::Report& report) {
  Json array = Json::array();
  for (const findings::LocalMemory& row : report.local_memory) {
    Json object = UncountedRow(report, row);
    object["load_instructions"] = row.loads;
    object["store_instructions"] = row.stores;
    array.push_back(std::move(object));
  }
  return array;
}

}  // namespace coalcheck::output
