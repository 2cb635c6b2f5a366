// SPDX-License-Identifier: Apache-2.0
//
// Blocks by the branches and what these lead to; natural loops by back edges.
#include "libcoalcheck/ptx/control_flow.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "libcoalcheck/base/dominators.h"

namespace coalcheck::ptx {
namespace {

static_assert(kNone == kNoDominator);

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

// Sets of nodes, each called by one of them.
class Collapsed {
 public:
  explicit Collapsed(std::size_t nodes) : above_(nodes) {
    std::iota(above_.begin(), above_.end(), 0U);
  }

  std::uint32_t Find(std::uint32_t node) {
    while (above_[node] != node) node = above_[node] = above_[above_[node]];
    return node;
  }
  // Both have to be what Find() calls their sets; `into` is what it calls them from now on.
  void Join(std::uint32_t node, std::uint32_t into) { above_[node] = into; }

 private:
  std::vector<std::uint32_t> above_;  // itself, or another node of its set
};

bool TrapsAt(const Function& function, std::uint32_t instruction) {
  if (instruction >= function.instructions.size()) return false;
  const Instruction& one = function.instructions[instruction];
  return one.code.op == Op::kTrap && one.guard == kNone;
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
    const bool traps = last.code.op == Op::kTrap && last.guard != kNone;
    const bool leaves =
        EndsBlock(last) && last.code.op != Op::kBra && last.code.op != Op::kBrx && !traps;
    blocks_[b].may_end = leaves || (goes_on && blocks_[b].end == block_of_.size());
    const auto operands = function.OperandsOf(last);
    const bool names_label = !operands.empty() && operands[0].kind == Operand::Kind::kLabel;
    const std::uint32_t label = last.code.op == Op::kBra && names_label ? operands[0].id : kNone;
    // A trap ends the program: of two ways nobody takes the one to it.
    const bool may_choose = goes_on && label != kNone;
    const bool label_traps = may_choose && TrapsAt(function, label);
    const bool next_traps = may_choose && TrapsAt(function, blocks_[b].end);
    if (label != kNone && (!label_traps || next_traps)) connect(b, label);
    if (last.code.op == Op::kBrx && operands.size() > 1 &&
        operands[1].kind == Operand::Kind::kLabel) {
      for (std::size_t i = operands[1].id; function.targets[i] != kNone; ++i) {
        connect(b, function.targets[i]);
      }
    }
    if (goes_on && (!next_traps || label_traps)) connect(b, blocks_[b].end);
    if (blocks_[b].next.empty()) blocks_[b].may_end = true;
  }
}

void ControlFlow::FindDominators() {
  Edges next;
  Edges previous;
  for (const Block& block : blocks_) {
    next.emplace_back(block.next);
    previous.emplace_back(block.previous);
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
  std::vector<std::vector<std::uint32_t>> backward(end + 1);
  std::vector<std::vector<std::uint32_t>> forward(end + 1);
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
  const std::vector<std::uint32_t> found = Dominators(Edges(backward.begin(), backward.end()),
                                                      Edges(forward.begin(), forward.end()), end);
  for (std::uint32_t b = 0; b < end; ++b) {
    blocks_[b].post_dominator = found[b] == end ? kNone : found[b];
  }
}

// All back edges to one header make one loop. Two loops are disjoint, or one holds the other: inner
// ones are found first, and stand for one node, their header, in those around them.
void ControlFlow::FindLoops() {
  Collapsed collapsed(blocks_.size());
  std::vector<std::uint32_t> loop_of(blocks_.size(), kNone);  // by header
  std::vector<std::uint32_t> open;
  const auto reach = [&](std::uint32_t from, std::uint32_t header) {
    if (rank_[from] == kNone) return;
    const std::uint32_t node = collapsed.Find(from);
    if (node != header) open.push_back(node);
  };
  for (auto at = order_.rbegin(); at != order_.rend(); ++at) {
    const std::uint32_t header = *at;
    bool turns = false;
    for (const std::uint32_t from : blocks_[header].previous) {
      if (!Dominates(header, from)) continue;
      turns = true;
      reach(from, header);
    }
    if (!turns) continue;
    const auto loop = static_cast<std::uint32_t>(loops_.size());
    loops_.push_back({header, kNone, true});
    while (!open.empty()) {
      const std::uint32_t node = open.back();
      open.pop_back();
      if (collapsed.Find(node) == header) continue;
      collapsed.Join(node, header);
      if (loop_of[node] == kNone) {
        blocks_[node].loop = loop;
      } else {
        loops_[loop_of[node]].parent = loop;
        loops_[loop].is_innermost = false;
      }
      for (const std::uint32_t from : blocks_[node].previous) reach(from, header);
    }
    blocks_[header].loop = loop_of[header] = loop;
  }
}

void ControlFlow::NumberLoops() {
  // From the order in which they were found, inner ones first.
  const auto turned = [last = loops_.size() - 1](std::uint32_t& loop) {
    if (loop != kNone) loop = static_cast<std::uint32_t>(last - loop);
  };
  std::ranges::reverse(loops_);
  for (Loop& loop : loops_) turned(loop.parent);
  for (Block& block : blocks_) turned(block.loop);
  std::vector<std::uint32_t> order(loops_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::vector<std::uint32_t> parents;
  for (const Loop& loop : loops_) parents.push_back(loop.parent);
  loop_below_ = NumberTree(order, parents);
  SortBlocksByLoop();
}

void ControlFlow::SortBlocksByLoop() {
  loop_begins_.assign(loops_.size() + 1, 0);
  for (const Block& block : blocks_) {
    if (block.loop != kNone) ++loop_begins_[loop_below_[block.loop].first + 1];
  }
  std::partial_sum(loop_begins_.begin(), loop_begins_.end(), loop_begins_.begin());
  loop_blocks_.resize(loop_begins_.back());
  std::vector<std::uint32_t> next = loop_begins_;
  for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
    if (blocks_[b].loop != kNone) loop_blocks_[next[loop_below_[blocks_[b].loop].first]++] = b;
  }
}

std::span<const std::uint32_t> ControlFlow::BlocksOf(std::uint32_t loop) const {
  const Below& below = loop_below_[loop];
  const std::uint32_t begin = loop_begins_[below.first];
  return std::span(loop_blocks_).subspan(begin, loop_begins_[below.last + 1] - begin);
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
