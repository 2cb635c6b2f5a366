// SPDX-License-Identifier: Apache-2.0
//
// Kind after kind, each as the merger has ordered it.
#include "libcoalcheck/merging/records_in_order.h"

#include "libcoalcheck/recording/json_line.h"
#include "libcoalcheck/recording/merged_line.h"

namespace coalcheck::merging {

bool ForEachLineInOrder(
    const recording::RecordedRun& merged,
    const std::function<bool(std::string_view kind, const std::string& line)>& take) {
  bool going = true;
  const auto put = [&](const auto& record) {
    if (going) going = take(KindOf(record), ToJsonLine(record));
  };
  const auto put_plain = [&](const recording::Record& record) { put(record); };
  const auto put_merged = [&](const recording::MergedRecord& record) { put(record); };
  put_plain(merged.header);
  for (const auto& one : merged.devices) put_plain(one);
  for (const auto& one : merged.modules) put_plain(one);
  for (const auto& one : merged.range_sets) put_plain(one);
  for (const auto& one : merged.windows) put_plain(one);
  for (const auto& one : merged.tallies) put_plain(one);
  for (const auto& one : merged.uncounted) put_plain(one);
  for (const auto& one : merged.losses) put_plain(one);
  for (const auto& one : merged.unmatched) put_plain(one);
  if (merged.cost) put_plain(*merged.cost);
  for (const auto& one : merged.pc_samplings) put_plain(one);
  for (const auto& one : merged.pc_samples) put_plain(one);
  for (const auto& one : merged.sources) put_plain(one);
  for (const auto& one : merged.lost_lines) put_merged(one);
  for (const auto& one : merged.unread) put_merged(one);
  merged.ranks.ForEach([&](const recording::RankEntry& one) { put_merged(one); });
  for (const auto& one : merged.spreads) put_merged(one);
  return going;
}

}  // namespace coalcheck::merging
