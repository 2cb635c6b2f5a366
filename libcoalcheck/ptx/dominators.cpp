// SPDX-License-Identifier: Apache-2.0
//
// Lengauer and Tarjan's search, without recursion. Semi-NCA is shorter, but quadratic where many
// nodes below a long path have semidominators far above it.
#include "libcoalcheck/ptx/dominators.h"

#include <algorithm>
#include <utility>

#include "libcoalcheck/ptx/module.h"

namespace coalcheck::ptx {
namespace {

// Nodes are numbered in the order in which a depth-first search from `root` comes to them.
class DominatorSearch {
 public:
  DominatorSearch(const Edges& next, const Edges& previous, std::uint32_t root)
      : previous_(previous), number_(next.size(), kNone) {
    Number(next, root);
  }

  std::vector<std::uint32_t> Find() {
    const auto count = static_cast<std::uint32_t>(nodes_.size());
    const std::vector<std::uint32_t> parents = above_;
    for (std::uint32_t i = count; i-- > 1;) {
      semi_[i] = parents[i];
      for (const std::uint32_t from : previous_[nodes_[i]]) {
        if (number_[from] == kNone) continue;
        semi_[i] = std::min(semi_[i], semi_[Best(number_[from], i + 1)]);
      }
      next_waiting_[i] = std::exchange(waiting_[semi_[i]], i);
      EndWaiting(parents[i], i);
    }
    std::vector<std::uint32_t> result(number_.size(), kNone);
    for (std::uint32_t i = 1; i < count; ++i) {
      if (dominator_[i] != semi_[i]) dominator_[i] = dominator_[dominator_[i]];
      result[nodes_[i]] = nodes_[dominator_[i]];
    }
    return result;
  }

 private:
  void Number(const Edges& next, std::uint32_t root) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> stack{
        {root, 0}};  // and its parent's number
    while (!stack.empty()) {
      const auto [node, parent] = stack.back();
      stack.pop_back();
      if (number_[node] != kNone) continue;
      const auto number = static_cast<std::uint32_t>(nodes_.size());
      number_[node] = number;
      nodes_.push_back(node);
      above_.push_back(parent);
      semi_.push_back(number);
      for (const std::uint32_t to : next[node]) {
        if (number_[to] == kNone) stack.emplace_back(to, number);
      }
    }
    best_ = semi_;
    dominator_.assign(nodes_.size(), 0);
    waiting_.assign(nodes_.size(), kNone);
    next_waiting_.assign(nodes_.size(), kNone);
  }

  // All nodes from `node` on are linked to their parents, and `semi` is the parent of `node`: where
  // a node on the way from it has a lower semidominator, it has the same dominator.
  void EndWaiting(std::uint32_t semi, std::uint32_t node) {
    for (std::uint32_t one = std::exchange(waiting_[semi], kNone); one != kNone;
         one = next_waiting_[one]) {
      const std::uint32_t best = Best(one, node);
      dominator_[one] = semi_[best] < semi ? best : semi;
    }
  }

  // Of `node` and those above it whose parents are numbered from `linked` on, the one with the
  // smallest semidominator. Paths are made shorter on the way.
  std::uint32_t Best(std::uint32_t node, std::uint32_t linked) {
    path_.clear();
    for (; above_[node] >= linked; node = above_[node]) path_.push_back(node);
    std::uint32_t above = node;
    for (auto below = path_.rbegin(); below != path_.rend(); ++below) {
      above_[*below] = above_[above];
      if (semi_[best_[above]] < semi_[best_[*below]]) best_[*below] = best_[above];
      above = *below;
    }
    return best_[above];
  }

  const Edges& previous_;
  std::vector<std::uint32_t> number_;  // by node
  // By number.
  std::vector<std::uint32_t> nodes_;
  std::vector<std::uint32_t> above_;  // the parent, or one further up
  std::vector<std::uint32_t> semi_;
  std::vector<std::uint32_t> best_;
  std::vector<std::uint32_t> dominator_;
  std::vector<std::uint32_t> waiting_;       // the last node found of this semidominator
  std::vector<std::uint32_t> next_waiting_;  // of the same semidominator
  std::vector<std::uint32_t> path_;
};

}  // namespace

std::vector<std::uint32_t> Dominators(const Edges& next, const Edges& previous,
                                      std::uint32_t root) {
  return DominatorSearch(next, previous, root).Find();
}

}  // namespace coalcheck::ptx
