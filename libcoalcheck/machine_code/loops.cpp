// SPDX-License-Identifier: Apache-2.0
//
// Tarjan's strongly connected components without recursion, and the dominators of Cooper, Harvey
// and Kennedy on the reversed graph.
#include "libcoalcheck/machine_code/loops.h"

#include <algorithm>
#include <utility>

namespace coalcheck::machine_code {
namespace {

constexpr std::uint32_t kNone = 0xffffffff;

// Finds the components of the part of the graph whose blocks are marked `part`.
class Components {
 public:
  explicit Components(std::span<const Block> blocks)
      : blocks_(blocks), index_(blocks.size()), low_(blocks.size()), part_(blocks.size(), 0) {}

  void Mark(std::span<const std::uint32_t> members, std::uint32_t part) {
    for (const std::uint32_t member : members) part_[member] = part;
  }
  std::uint32_t part(std::uint32_t block) const { return part_[block]; }

  // Only components that are loops, each ascending.
  std::vector<std::vector<std::uint32_t>> Find(std::span<const std::uint32_t> members,
                                               std::uint32_t part) {
    found_.clear();
    for (const std::uint32_t member : members) index_[member] = kNone;
    next_ = 0;
    for (const std::uint32_t member : members) {
      if (part_[member] == part && index_[member] == kNone) Search(member, part);
    }
    return std::move(found_);
  }

 private:
  struct Frame {
    std::uint32_t block;
    std::uint32_t edge;
  };

  void Enter(std::uint32_t block) {
    index_[block] = low_[block] = next_++;
    stack_.push_back(block);
    frames_.push_back({block, 0});
  }

  void Search(std::uint32_t root, std::uint32_t part) {
    Enter(root);
    while (!frames_.empty()) {
      const std::uint32_t block = frames_.back().block;
      const std::vector<std::uint32_t>& successors = blocks_[block].successors;
      if (frames_.back().edge < successors.size()) {
        const std::uint32_t to = successors[frames_.back().edge++];
        if (part_[to] != part || index_[to] == kDone) continue;
        if (index_[to] == kNone) {
          Enter(to);
        } else {
          low_[block] = std::min(low_[block], index_[to]);
        }
        continue;
      }
      frames_.pop_back();
      if (!frames_.empty()) {
        std::uint32_t& above = low_[frames_.back().block];
        above = std::min(above, low_[block]);
      }
      if (low_[block] == index_[block]) Pop(block);
    }
  }

  void Pop(std::uint32_t root) {
    std::vector<std::uint32_t> members;
    std::uint32_t block = kNone;
    do {
      block = stack_.back();
      stack_.pop_back();
      index_[block] = kDone;
      members.push_back(block);
    } while (block != root);
    const std::vector<std::uint32_t>& successors = blocks_[root].successors;
    const bool loops = members.size() > 1 ||
                       std::find(successors.begin(), successors.end(), root) != successors.end();
    if (!loops) return;
    std::sort(members.begin(), members.end());
    found_.push_back(std::move(members));
  }

  static constexpr std::uint32_t kDone = kNone - 1;

  std::span<const Block> blocks_;
  std::vector<std::uint32_t> index_;
  std::vector<std::uint32_t> low_;
  std::vector<std::uint32_t> part_;
  std::vector<std::uint32_t> stack_;
  std::vector<Frame> frames_;
  std::vector<std::vector<std::uint32_t>> found_;
  std::uint32_t next_ = 0;
};

// The members of a loop that are entered from outside it, at least one.
std::vector<std::uint32_t> Inside(std::span<const Block> blocks, const Components& components,
                                  std::span<const std::uint32_t> loop, std::uint32_t part) {
  std::vector<std::uint32_t> rest;
  for (const std::uint32_t member : loop) {
    const auto& from = blocks[member].predecessors;
    const bool entered = std::any_of(from.begin(), from.end(), [&](std::uint32_t block) {
      return components.part(block) != part;
    });
    if (!entered) rest.push_back(member);
  }
  // Entered from nowhere (a function's first block): without its first member it is cut as well.
  if (rest.size() == loop.size()) rest.erase(rest.begin());
  return rest;
}

// Of the reversed graph, which begins where all functions end: at number `end_`.
class Dominators {
 public:
  Dominators(std::span<const Block> blocks, std::uint64_t& steps_left)
      : blocks_(blocks),
        steps_left_(steps_left),
        end_(static_cast<std::uint32_t>(blocks.size())),
        number_(blocks.size() + 1, kNone),
        dominator_(blocks.size() + 1, kNone) {}

  std::vector<std::uint32_t> Find() {
    Number();
    dominator_[end_] = end_;
    for (bool changed = true; changed;) {
      changed = false;
      for (auto at = order_.rbegin(); at != order_.rend(); ++at) {
        if (*at == end_) continue;
        const std::uint32_t found = MeetingOf(*at);
        changed = changed || found != dominator_[*at];
        dominator_[*at] = found;
        if (steps_left_ == 0) return {};
      }
    }
    dominator_.pop_back();
    std::ranges::replace(dominator_, end_, kNoPostDominator);
    return std::move(dominator_);
  }

 private:
  // To climb up the tree costs little.
  static constexpr std::uint64_t kClimbsOfAStep = 8;

  // The blocks in postorder of the reversed graph.
  void Number() {
    std::vector<std::uint32_t> leaving;
    for (std::uint32_t i = 0; i < end_; ++i) {
      if (blocks_[i].reached && blocks_[i].leaves) leaving.push_back(i);
    }
    std::vector<std::pair<std::uint32_t, std::size_t>> stack{{end_, 0}};
    std::vector<bool> seen(blocks_.size() + 1, false);
    seen[end_] = true;
    while (!stack.empty()) {
      auto& [block, edge] = stack.back();
      const std::vector<std::uint32_t>& from =
          block == end_ ? leaving : blocks_[block].predecessors;
      if (edge < from.size()) {
        const std::uint32_t next = from[edge++];
        if (!seen[next]) {
          seen[next] = true;
          stack.emplace_back(next, 0);
        }
        continue;
      }
      number_[block] = static_cast<std::uint32_t>(order_.size());
      order_.push_back(block);
      stack.pop_back();
    }
  }

  // Where all ways from the block meet, as far as that is known.
  std::uint32_t MeetingOf(std::uint32_t block) {
    std::uint32_t found = blocks_[block].leaves ? end_ : kNone;
    for (const std::uint32_t to : blocks_[block].successors) {
      if (dominator_[to] == kNone) continue;
      found = found == kNone ? to : Meet(found, to);
    }
    return found;
  }

  std::uint32_t Meet(std::uint32_t a, std::uint32_t b) {
    std::uint64_t climbs = kClimbsOfAStep;
    while (a != b) {
      std::uint32_t& lower = number_[a] < number_[b] ? a : b;
      lower = dominator_[lower];
      ++climbs;
    }
    steps_left_ -= std::min(climbs / kClimbsOfAStep, steps_left_);
    return a;
  }

  std::span<const Block> blocks_;
  std::uint64_t& steps_left_;
  const std::uint32_t end_;
  std::vector<std::uint32_t> number_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> dominator_;
};

}  // namespace

bool VisitLoops(std::span<const Block> blocks, std::uint64_t most_steps,
                const std::function<void(std::span<const std::uint32_t>)>& visit) {
  Components components(blocks);
  std::vector<std::uint32_t> reached;
  for (std::uint32_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].reached) reached.push_back(i);
  }
  std::uint32_t part = 1;
  components.Mark(reached, part);
  std::vector<std::vector<std::uint32_t>> open = components.Find(reached, part);
  while (!open.empty()) {
    const std::vector<std::uint32_t> loop = std::move(open.back());
    open.pop_back();
    if (loop.size() > most_steps) return false;
    most_steps -= loop.size();
    visit(loop);
    components.Mark(loop, ++part);
    const std::vector<std::uint32_t> rest = Inside(blocks, components, loop, part);
    components.Mark(loop, 0);
    components.Mark(rest, ++part);
    for (std::vector<std::uint32_t>& inner : components.Find(rest, part)) {
      open.push_back(std::move(inner));
    }
  }
  return true;
}

std::vector<std::uint32_t> PostDominators(std::span<const Block> blocks,
                                          std::uint64_t& steps_left) {
  return Dominators(blocks, steps_left).Find();
}

}  // namespace coalcheck::machine_code
