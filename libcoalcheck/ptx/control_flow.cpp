// SPDX-License-Identifier: Apache-2.0
//
// Blocks by the branches and what these lead to; natural loops by back edges.
#include "libcoalcheck/ptx/control_flow.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "libcoalcheck/ptx/dominators.h"

namespace coalcheck::ptx {
namespace {

// Reverse post-order from `root`, without recursion.
std::vector<std::uint32_t> ReversePostOrder(const Edges& next, std::uint32_t root) {
  std::vector<std::uint32_t> order;
  std::vector<bool> seen(next.size());
  std::vector<std::pair<std::uint32_t, std::size_t>> stack{{root, 0}};
  seen[root] = true;
  while (!stack.empty()) {
    auto& [node, at] = stack.back();
    if (at == next[node].size()) {
      order.push_back(node);
      stack.pop_back();
      continue;
    }
    const std::uint32_t to = next[node][at++];
    if (seen[to]) continue;
    seen[to] = true;
    stack.emplace_back(to, 0);
  }
  std::ranges::reverse(order);
  return order;
}

}  // namespace

bool EndsBlock(const Instruction& instruction) {
  switch (instruction.code.op) {
    case Op::kBra:
    case Op::kBrx:
    case Op::kRet:
    case Op::kExit:
    case Op::kTrap:
      return true;
    default:
      return false;
  }
}

ControlFlow::ControlFlow(const Function& function) {
  SplitBlocks(function);
  Connect(function);
  FindDominators();
  FindPostDominators();
  FindLoops();
  NumberLoops();
}

void ControlFlow::SplitBlocks(const Function& function) {
  const auto count = static_cast<std::uint32_t>(function.instructions.size());
  std::vector<bool> begins(count + 1);
  begins[0] = true;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Instruction& one = function.instructions[i];
    if (!EndsBlock(one)) continue;
    begins[i + 1] = true;
    if (one.code.op != Op::kBra) continue;
    for (const Operand& operand : function.OperandsOf(one)) {
      if (operand.kind == Operand::Kind::kLabel) begins[std::min(operand.id, count)] = true;
    }
  }
  for (const std::uint32_t target : function.targets) begins[std::min(target, count)] = true;
  block_of_.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (begins[i]) blocks_.push_back({i, i, {}, {}});
    block_of_[i] = static_cast<std::uint32_t>(blocks_.size() - 1);
    blocks_.back().end = i + 1;
  }
  if (blocks_.empty()) blocks_.emplace_back();
}

void ControlFlow::Connect(const Function& function) {
  std::vector<std::uint32_t> last_from(blocks_.size(), kNone);  // by block that it leads to
  const auto connect = [&](std::uint32_t from, std::uint32_t instruction) {
    if (instruction >= block_of_.size()) {  // behind the last one: the end
      blocks_[from].may_end = true;
      return;
    }
    const std::uint32_t to = block_of_[instruction];
    if (last_from[to] == from) return;
    last_from[to] = from;
    blocks_[from].next.push_back(to);
    blocks_[to].previous.push_back(from);
  };
  for (std::uint32_t b = 0; b < blocks_.size() && !function.instructions.empty(); ++b) {
    const Instruction& last = function.instructions[blocks_[b].end - 1];
    const bool goes_on = !EndsBlock(last) || last.guard != kNone;
    const bool leaves = EndsBlock(last) && last.code.op != Op::kBra && last.code.op != Op::kBrx;
    blocks_[b].may_end = leaves || (goes_on && blocks_[b].end == block_of_.size());
    const auto operands = function.OperandsOf(last);
    if (last.code.op == Op::kBra && !operands.empty() &&
        operands[0].kind == Operand::Kind::kLabel) {
      connect(b, operands[0].id);
    }
    if (last.code.op == Op::kBrx && operands.size() > 1 &&
        operands[1].kind == Operand::Kind::kLabel) {
      for (std::size_t i = operands[1].id; function.targets[i] != kNone; ++i) {
        connect(b, function.targets[i]);
      }
    }
    if (goes_on) connect(b, blocks_[b].end);
    if (blocks_[b].next.empty()) blocks_[b].may_end = true;
  }
}

void ControlFlow::FindDominators() {
  Edges next;
  Edges previous;
  for (const Block& block : blocks_) {
    next.push_back(block.next);
    previous.push_back(block.previous);
  }
  order_ = ReversePostOrder(next, 0);
  rank_.assign(blocks_.size(), kNone);
  for (std::uint32_t i = 0; i < order_.size(); ++i) rank_[order_[i]] = i;
  const std::vector<std::uint32_t> found = Dominators(next, previous, 0);
  for (std::uint32_t b = 0; b < blocks_.size(); ++b) blocks_[b].dominator = found[b];
  below_ = NumberTree(order_, found);
}

// So that one comparison says whether a node stands above another. Roots follow each other.
std::vector<ControlFlow::Below> ControlFlow::NumberTree(const std::vector<std::uint32_t>& order,
                                                        const std::vector<std::uint32_t>& parents) {
  std::vector<std::uint32_t> size(parents.size(), 1);
  for (auto node = order.rbegin(); node != order.rend(); ++node) {
    if (parents[*node] != kNone) size[parents[*node]] += size[*node];
  }
  std::vector<Below> below(parents.size());
  std::vector<std::uint32_t> next(parents.size(), 0);  // the number of the next one below
  std::uint32_t next_root = 0;
  for (const std::uint32_t node : order) {
    std::uint32_t& number = parents[node] == kNone ? next_root : next[parents[node]];
    below[node] = {number, number + size[node] - 1};
    number += size[node];
    next[node] = below[node].first + 1;
  }
  return below;
}

// Dominators of the graph turned round, from one end that all blocks without a successor lead to.
// So do endless loops, by an edge from each that no end can be reached from.
void ControlFlow::FindPostDominators() {
  const auto end = static_cast<std::uint32_t>(blocks_.size());
  Edges backward(end + 1);
  Edges forward(end + 1);
  const auto add = [&](std::uint32_t from, std::uint32_t to) {
    forward[from].push_back(to);
    backward[to].push_back(from);
  };
  for (std::uint32_t b = 0; b < end; ++b) {
    for (const std::uint32_t to : blocks_[b].next) add(b, to);
    if (blocks_[b].may_end) add(b, end);
  }
  std::vector<bool> reaches(end + 1);
  std::vector<std::uint32_t> work;
  const auto mark = [&](std::uint32_t node) {
    if (!reaches[node]) work.push_back(node);
    reaches[node] = true;
    while (!work.empty()) {
      const std::uint32_t at = work.back();
      work.pop_back();
      for (const std::uint32_t from : backward[at]) {
        if (!reaches[from]) work.push_back(from);
        reaches[from] = true;
      }
    }
  };
  mark(end);
  // Late blocks first: in an endless loop the latch, whose only way on is the loop itself.
  for (auto block = order_.rbegin(); block != order_.rend(); ++block) {
    if (reaches[*block]) continue;
    add(*block, end);
    mark(*block);
  }
  const std::vector<std::uint32_t> found = Dominators(backward, forward, end);
  for (std::uint32_t b = 0; b < end; ++b) {
    blocks_[b].post_dominator = found[b] == end ? kNone : found[b];
  }
}

// All back edges to one header make one loop. Deeply nested loops are looked at up to a bound of
// edges and blocks.
void ControlFlow::FindLoops() {
  constexpr std::size_t kMostWork = std::size_t{1} << 24U;
  std::size_t work = 0;
  std::vector<std::uint32_t> inside(blocks_.size(), kNone);  // the last header that has it
  for (const std::uint32_t header : order_) {
    Loop loop{header, blocks_[header].loop, {}, true};
    for (const std::uint32_t from : blocks_[header].previous) {
      const bool turns = rank_[from] != kNone && Dominates(header, from);
      if (!turns || inside[from] == header) continue;
      inside[from] = header;
      loop.blocks.push_back(from);
    }
    if (loop.blocks.empty()) continue;
    if (inside[header] != header) loop.blocks.push_back(header);
    inside[header] = header;
    for (std::size_t i = 0; i < loop.blocks.size(); ++i) {
      if (loop.blocks[i] == header) continue;
      work += 1 + blocks_[loop.blocks[i]].previous.size();
      if (work > kMostWork) return;
      for (const std::uint32_t from : blocks_[loop.blocks[i]].previous) {
        if (inside[from] == header || rank_[from] == kNone) continue;
        inside[from] = header;
        loop.blocks.push_back(from);
      }
    }
    std::ranges::sort(loop.blocks);
    for (const std::uint32_t block : loop.blocks) {
      blocks_[block].loop = static_cast<std::uint32_t>(loops_.size());
    }
    if (loop.parent != kNone) loops_[loop.parent].is_innermost = false;
    loops_.push_back(std::move(loop));
  }
}

void ControlFlow::NumberLoops() {
  std::vector<std::uint32_t> order(loops_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::vector<std::uint32_t> parents;
  for (const Loop& loop : loops_) parents.push_back(loop.parent);
  loop_below_ = NumberTree(order, parents);
}

bool ControlFlow::Dominates(std::uint32_t above, std::uint32_t below) const {
  if (rank_[above] == kNone || rank_[below] == kNone) return false;
  return below_[above].Holds(below_[below]);
}

bool ControlFlow::IsIn(std::uint32_t block, std::uint32_t loop) const {
  if (loop == kNone) return true;
  const std::uint32_t innermost = blocks_[block].loop;
  return innermost != kNone && loop_below_[loop].Holds(loop_below_[innermost]);
}

}  // namespace coalcheck::ptx
