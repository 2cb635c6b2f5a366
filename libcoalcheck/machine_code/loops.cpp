// SPDX-License-Identifier: Apache-2.0
//
// Tarjan's strongly connected components without recursion, and the dominators of the graph turned
// round.
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

// Edges at which ways meet: those of each block but one.
std::uint64_t Meetings(std::span<const Block> blocks) {
  std::uint64_t meetings = 0;
  for (const Block& block : blocks) {
    const std::size_t ways = block.successors.size() + (block.leaves ? 1 : 0);
    meetings += ways - std::min<std::size_t>(ways, 1);
  }
  return meetings;
}

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
  const std::uint64_t steps = Meetings(blocks);
  if (steps >= steps_left) {
    steps_left = 0;
    return {};
  }
  steps_left -= steps;
  // All functions end at one more node, from which the graph is looked at backwards.
  const auto end = static_cast<std::uint32_t>(blocks.size());
  Edges backward;
  Edges forward;
  backward.reserve(blocks.size() + 1);
  forward.reserve(blocks.size() + 1);
  std::vector<std::uint32_t> leaving;
  std::vector<std::vector<std::uint32_t>> ways_of_leaving;
  for (std::uint32_t i = 0; i < end; ++i) {
    backward.emplace_back(blocks[i].predecessors);
    forward.emplace_back(blocks[i].successors);
    if (!blocks[i].reached || !blocks[i].leaves) continue;
    leaving.push_back(i);
    ways_of_leaving.push_back(blocks[i].successors);
    ways_of_leaving.back().push_back(end);
    forward.back() = ways_of_leaving.back();
  }
  backward.emplace_back(leaving);
  forward.emplace_back();
  std::vector<std::uint32_t> found = Dominators(backward, forward, end);
  found.pop_back();
  std::ranges::replace(found, end, kNoPostDominator);
  return found;
}

}  // namespace coalcheck::machine_code
