// SPDX-License-Identifier: Apache-2.0
//
// Lengauer and Tarjan's search, without recursion. Semi-NCA is shorter, but quadratic where many
// nodes below a long path have semidominators far above it.
#include "libcoalcheck/base/dominators.h"

#include <algorithm>
#include <utility>

namespace coalcheck {
namespace {

constexpr std::uint32_t kNone = 0xffffffff;  // also where a list of numbers ends
static_assert(kNone == kNoDominator);

// Nodes are numbered in the order in which a depth-first search from `root` comes to them.
class DominatorSearch {
 public:
  DominatorSearch(const Edges& next, const Edges& previous, std::uint32_t root)
      : previous_(previous), number_(next.size(), kNone) {
    Number(next, root);
  }

  std::vector<std::uint32_t> Find() {
    const auto count = static_cast<std::uint32_t>(nodes_.size());
    for (std::uint32_t i = count; i-- > 1;) {
      Node& node = nodes_[i];
      node.semi = node.parent;
      for (const std::uint32_t from : previous_[node.node]) {
        if (number_[from] == kNone) continue;
        node.semi = std::min(node.semi, nodes_[Best(number_[from], i + 1)].semi);
      }
      node.next_waiting = std::exchange(nodes_[node.semi].waiting, i);
      EndWaiting(node.parent, i);
    }
    std::vector<std::uint32_t> result(number_.size(), kNone);
    for (std::uint32_t i = 1; i < count; ++i) {
      Node& node = nodes_[i];
      if (node.dominator != node.semi) node.dominator = nodes_[node.dominator].dominator;
      result[node.node] = nodes_[node.dominator].node;
    }
    return result;
  }

 private:
  // All but the first are numbers.
  struct Node {
    std::uint32_t node;
    std::uint32_t parent;
    std::uint32_t above;  // the parent, or one further up
    std::uint32_t semi;
    std::uint32_t best;
    std::uint32_t dominator = 0;
    std::uint32_t waiting = kNone;       // the last node found of this semidominator
    std::uint32_t next_waiting = kNone;  // of the same semidominator
  };

  void Number(const Edges& next, std::uint32_t root) {
    nodes_.reserve(next.size());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> stack{
        {root, 0}};  // and its parent's number
    while (!stack.empty()) {
      const auto [node, parent] = stack.back();
      stack.pop_back();
      if (number_[node] != kNone) continue;
      const auto number = static_cast<std::uint32_t>(nodes_.size());
      number_[node] = number;
      nodes_.push_back({node, parent, parent, number, number});
      for (const std::uint32_t to : next[node]) {
        if (number_[to] == kNone) stack.emplace_back(to, number);
      }
    }
  }

  // All nodes from `node` on are linked to their parents, and `semi` is the parent of `node`: where
  // a node on the way from it has a lower semidominator, it has the same dominator.
  void EndWaiting(std::uint32_t semi, std::uint32_t node) {
    for (std::uint32_t one = std::exchange(nodes_[semi].waiting, kNone); one != kNone;
         one = nodes_[one].next_waiting) {
      const std::uint32_t best = Best(one, node);
      nodes_[one].dominator = nodes_[best].semi < semi ? best : semi;
    }
  }

  // Of `node` and those above it whose parents are numbered from `linked` on, the one with the
  // smallest semidominator. Paths are made shorter on the way.
  std::uint32_t Best(std::uint32_t node, std::uint32_t linked) {
    path_.clear();
    for (; nodes_[node].above >= linked; node = nodes_[node].above) path_.push_back(node);
    std::uint32_t above = node;
    for (auto below = path_.rbegin(); below != path_.rend(); ++below) {
      Node& one = nodes_[*below];
      one.above = nodes_[above].above;
      if (nodes_[nodes_[above].best].semi < nodes_[one.best].semi) one.best = nodes_[above].best;
      above = *below;
    }
    return nodes_[above].best;
  }

  const Edges& previous_;
  std::vector<std::uint32_t> number_;  // by node
  std::vector<Node> nodes_;            // by number
  std::vector<std::uint32_t> path_;
};

}  // namespace

std::vector<std::uint32_t> Dominators(const Edges& next, const Edges& previous,
                                      std::uint32_t root) {
  return DominatorSearch(next, previous, root).Find();
}

}  // namespace coalcheck
