// SPDX-License-Identifier: Apache-2.0
//
// Lists writes by place, and finds dominators as Cooper, Harvey and Kennedy do.
#include "libcoalcheck/address/function_code.h"

#include <algorithm>
#include <map>

#include "libcoalcheck/machine_code/loops.h"

namespace coalcheck::address {
namespace {

using machine_code::Block;
using machine_code::CodeImage;
using machine_code::Flow;
using machine_code::Instruction;
using machine_code::kPlaceCount;
using machine_code::Operands;
using machine_code::PlaceRange;
using machine_code::PlaceSet;

// Every place but the memory ones; what a call whose target is not in this section may write.
PlaceSet EveryPlace() {
  PlaceSet all;
  all.Add(0, kPlaceCount);
  return all;
}

bool IsCall(Flow flow) {
  return flow == Flow::kCall || flow == Flow::kCallSymbol || flow == Flow::kCallRegister;
}

}  // namespace

FunctionCode::FunctionCode(const CodeImage& image, std::size_t section)
    : sm_(image.sm()), code_(image.Decode(section)), writes_(kPlaceCount) {
  const std::vector<std::int64_t> entries = Entries(image, section);
  flow_ = machine_code::BuildControlFlow(code_.instructions, code_.jump_tables, entries);
  entry_.assign(flow_.blocks.size(), false);
  for (const std::int64_t entry : entries) {
    const auto n = static_cast<std::uint64_t>(entry) / sizeof(machine_code::Word);
    if (entry >= 0 && n < flow_.block_of.size()) entry_[flow_.block_of[n]] = true;
  }
  ListWrites();
  FindDominators();
  FindLoops();
}

std::vector<std::int64_t> FunctionCode::Entries(const CodeImage& image, std::size_t section) {
  std::vector<std::int64_t> entries{0};
  bool indirect = false;
  for (const Instruction& instruction : code_.instructions) {
    if (instruction.flow == Flow::kCall) entries.push_back(instruction.target);
    indirect = indirect || instruction.flow == Flow::kCallRegister;
  }
  if (indirect) {
    const std::vector<std::int64_t> inner = image.InnerFunctions(section);
    entries.insert(entries.end(), inner.begin(), inner.end());
  }
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  return entries;
}

void FunctionCode::ListWrites() {
  std::map<std::int64_t, PlaceSet> callees;
  for (std::uint32_t n = 0; n < code_.words.size(); ++n) {
    const Instruction& instruction = code_.instructions[n];
    if (IsCall(instruction.flow)) {
      PlaceSet written = EveryPlace();
      if (instruction.flow == Flow::kCall) {
        const auto [known, fresh] = callees.try_emplace(instruction.target);
        // Each function is searched once; many of them would make that quadratic.
        if (fresh) known->second = callees.size() > 64 ? written : WrittenFrom(instruction.target);
        written = known->second;
      }
      for (std::uint32_t place = 0; place < kPlaceCount; ++place) {
        if (written.Has(place)) writes_[place].push_back(n);
      }
      continue;
    }
    for (const PlaceRange& range : machine_code::ReadOperands(code_.words[n], sm_).writes) {
      for (std::uint32_t place = range.first; place < std::uint32_t{range.first} + range.count;
           ++place) {
        if (writes_[place].empty() || writes_[place].back() != n) writes_[place].push_back(n);
      }
    }
  }
}

PlaceSet FunctionCode::WrittenFrom(std::int64_t entry) const {
  PlaceSet written;
  const auto first = static_cast<std::uint64_t>(entry) / sizeof(machine_code::Word);
  if (entry < 0 || first >= flow_.block_of.size()) return EveryPlace();
  std::vector<std::uint32_t> open{flow_.block_of[first]};
  std::vector<bool> seen(flow_.blocks.size(), false);
  while (!open.empty()) {
    const std::uint32_t b = open.back();
    open.pop_back();
    if (seen[b]) continue;
    seen[b] = true;
    const Block& block = flow_.blocks[b];
    if (IsCall(code_.instructions[block.end - 1].flow)) return EveryPlace();
    for (std::uint32_t n = block.begin; n < block.end; ++n) {
      for (const PlaceRange& range : machine_code::ReadOperands(code_.words[n], sm_).writes) {
        written.Add(range.first, range.count);
      }
    }
    open.insert(open.end(), block.successors.begin(), block.successors.end());
  }
  return written;
}

std::uint32_t FunctionCode::LastWrite(std::uint32_t place, std::uint32_t n) const {
  const std::vector<std::uint32_t>& writes = writes_[place];
  const auto after = std::lower_bound(writes.begin(), writes.end(), n);
  if (after == writes.begin()) return kNowhere;
  const std::uint32_t last = *(after - 1);
  return last >= flow_.blocks[flow_.block_of[n]].begin ? last : kNowhere;
}

bool FunctionCode::Writes(std::uint32_t place, std::uint32_t n) const {
  const std::vector<std::uint32_t>& writes = writes_[place];
  return std::binary_search(writes.begin(), writes.end(), n);
}

void FunctionCode::FindDominators() {
  const auto count = static_cast<std::uint32_t>(flow_.blocks.size());
  const std::uint32_t root = count;  // leads to every entry
  std::vector<std::uint32_t> number(count + 1, kNowhere);
  std::vector<std::uint32_t> order;
  std::vector<bool> seen(count, false);
  std::vector<std::pair<std::uint32_t, std::size_t>> stack;
  for (std::uint32_t entry = 0; entry < count; ++entry) {
    if (!entry_[entry] || seen[entry]) continue;
    seen[entry] = true;
    stack.emplace_back(entry, 0);
    while (!stack.empty()) {
      auto& [block, edge] = stack.back();
      const std::vector<std::uint32_t>& next = flow_.blocks[block].successors;
      if (edge < next.size()) {
        const std::uint32_t to = next[edge++];
        if (!seen[to]) {
          seen[to] = true;
          stack.emplace_back(to, 0);
        }
        continue;
      }
      number[block] = static_cast<std::uint32_t>(order.size());
      order.push_back(block);
      stack.pop_back();
    }
  }
  number[root] = static_cast<std::uint32_t>(order.size());
  dominators_.assign(count + 1, kNowhere);
  dominators_[root] = root;
  const auto meet = [&](std::uint32_t a, std::uint32_t b) {
    while (a != b) {
      while (number[a] < number[b]) a = dominators_[a];
      while (number[b] < number[a]) b = dominators_[b];
    }
    return a;
  };
  bool changed = true;
  for (int round = 0; changed && round < 64; ++round) {
    changed = false;
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
      std::uint32_t found = entry_[*at] ? root : kNowhere;
      for (const std::uint32_t from : flow_.blocks[*at].predecessors) {
        if (dominators_[from] == kNowhere) continue;
        found = found == kNowhere ? from : meet(found, from);
      }
      changed = changed || found != dominators_[*at];
      dominators_[*at] = found;
    }
  }
  if (changed) std::fill(dominators_.begin(), dominators_.end(), kNowhere);  // not worth more work
  for (std::uint32_t& dominator : dominators_) {
    if (dominator == root) dominator = kNowhere;
  }
  dominators_.pop_back();
}

void FunctionCode::FindLoops() {
  innermost_.assign(flow_.blocks.size(), kNowhere);
  const std::uint64_t most = 64 * (flow_.blocks.size() + 1);
  machine_code::VisitLoops(flow_.blocks, most, [&](std::span<const std::uint32_t> members) {
    Loop loop;
    loop.blocks.assign(members.begin(), members.end());
    loop.parent = innermost_[members.front()];
    std::uint32_t entered = 0;
    for (const std::uint32_t block : members) {
      const auto& from = flow_.blocks[block].predecessors;
      const bool enters = entry_[block] || std::any_of(from.begin(), from.end(), [&](auto b) {
                            return !std::binary_search(members.begin(), members.end(), b);
                          });
      if (!enters) continue;
      ++entered;
      loop.first = block;
    }
    if (entered != 1) loop.first = kNowhere;
    for (const std::uint32_t block : members) {
      innermost_[block] = static_cast<std::uint32_t>(loops_.size());
    }
    loops_.push_back(std::move(loop));
  });
}

bool FunctionCode::IsInLoop(std::uint32_t b, std::uint32_t loop) const {
  const std::vector<std::uint32_t>& blocks = loops_[loop].blocks;
  return std::binary_search(blocks.begin(), blocks.end(), b);
}

}  // namespace coalcheck::address
