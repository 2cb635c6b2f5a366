// SPDX-License-Identifier: Apache-2.0
//
// Launches and their counts, told apart by kernel.
#include "injection/agent/windows/unselected.h"

#include <set>
#include <string_view>

namespace coalcheck::agent {

std::vector<ShapeEntry*> LeaveOutUnselected(ClosedWindow& closed) {
  std::set<std::string_view> selected;
  std::set<std::string_view> left_out;
  for (const auto& [entry, inside] : closed.inside) {
    (entry->left_out() ? left_out : selected).insert(entry->shape().kernel);
  }
  std::erase_if(left_out, [&](std::string_view kernel) { return selected.contains(kernel); });
  std::vector<ShapeEntry*> taken;
  if (left_out.empty()) return taken;
  std::erase_if(closed.counts,
                [&](const InstructionCounts& row) { return left_out.contains(row.function); });
  for (const auto& [entry, inside] : closed.inside) {
    if (!left_out.contains(entry->shape().kernel)) continue;
    entry->Skipped(*entry->left_out(), inside.launches);
    taken.push_back(entry);
  }
  for (ShapeEntry* entry : taken) closed.inside.erase(entry);
  return taken;
}

}  // namespace coalcheck::agent
