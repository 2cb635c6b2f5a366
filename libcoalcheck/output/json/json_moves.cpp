// SPDX-License-Identifier: Apache-2.0
//
// One object for each move, with what it does to each access of the kernel.
#include "libcoalcheck/base/demangle.h"
#include "libcoalcheck/findings/words/move_words.h"
#include "libcoalcheck/output/json/json_counts.h"
#include "libcoalcheck/output/json/json_parts.h"

namespace coalcheck::output {
namespace {

using Json = nlohmann::ordered_json;
using moves::MoveKind;

Json TextOrNull(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json AccessChangeJson(const findings::AccessChange& change) {
  return {{"access", change.access},
          {"requests_before", change.before.requests},
          {"sectors_per_request_before", change.Before()},
          {"requests_after", change.after.requests},
          {"sectors_per_request_after", change.After()},
          {"at_most", change.at_most},
          {"vector_bytes", change.vector > Bytes(0) ? Json(change.vector.count()) : Json()}};
}

Json MoveJson(const findings::KernelMove& one) {
  const moves::Move& move = one.move;
  Json object = {
      {"move", moves::ToString(move.kind)},   {"outcome", one.helps ? "helps" : "rejected"},
      {"text", words::MoveInWords(one)},      {"needs", TextOrNull(words::NeedsOf(one))},
      {"sectors_before", move.before},        {"sectors_after", move.after},
      {"may_be_slower", move.slow_warps > 0}, {"array", TextOrNull(one.array)}};
  const bool has_block = move.block != address::Extent{};
  object["block"] = has_block ? Json{move.block.x, move.block.y, move.block.z} : Json();
  object["tile"] = Json();
  if (move.kind == MoveKind::kSharedTile) {
    object["tile"] = {{"rows", move.tile.rows},
                      {"columns", move.tile.columns},
                      {"pitch_elements", move.tile.pitch},
                      {"shared_bytes", move.tile.bytes.count()}};
  }
  object["other_kernels"] = Json::array();
  for (const std::string& other : one.other_kernels) {
    object["other_kernels"].push_back(Demangle(other));
  }
  object["accesses"] = Json::array();
  for (const findings::AccessChange& change : one.accesses) {
    object["accesses"].push_back(AccessChangeJson(change));
  }
  return object;
}

Json SizeJson(const recording::Dim3& size) { return {size.x, size.y, size.z}; }

}  // namespace

Json KernelMovesJson(const findings::KernelMoves& kernel) {
  Json object = {{"kernel", Demangle(kernel.kernel)}, {"kernel_mangled", kernel.kernel},
                 {"cubin", ToHex(kernel.cubin)},      {"grid", SizeJson(kernel.grid)},
                 {"block", SizeJson(kernel.block)},   {"why_not_all", TextOrNull(kernel.why_not)}};
  object["tried"] = Json::array();
  for (const findings::KernelMove& move : kernel.moves) object["tried"].push_back(MoveJson(move));
  return object;
}

Json CauseJson(const findings::Report& report, const findings::Cause& cause) {
  Json object = {{"places", Json::array()}, {"accesses", Json::array()}};
  for (const findings::Place* place : cause.members) {
    object["places"].push_back(static_cast<std::size_t>(place - report.places.data()));
    for (const std::size_t access : place->accesses) object["accesses"].push_back(access);
  }
  AddCounts(cause.whole.counts, report.present, object);
  AddWaste(cause.whole.counts, object);
  object["gain_of_kernel_percent"] = PlaceGainJson(report, cause.whole);
  object["changes"] = ChangesJson(report, words::WorstOf(report, *cause.members.front()));
  return object;
}

Json FetchedAgainJson(const findings::FetchedAgain& one) {
  const bool has_tile = one.tile > Bytes(0);
  return {{"access", one.access},
          {"times", one.times},
          {"tile_bytes", has_tile ? Json(one.tile.count()) : Json()},
          {"loads_of_thread", one.loads}};
}

Json ChangesJson(const findings::Report& report, std::size_t access) {
  const words::MoveWords words = words::MovesFor(report, access);
  if (words.fix.empty() && words.not_tried.empty()) return nullptr;
  return {{"fix", words.helps ? Json(words.fix) : Json()},
          {"not", TextOrNull(words.rejected)},
          {"why_not_all_tried", TextOrNull(words.not_tried)}};
}

}  // namespace coalcheck::output
