// SPDX-License-Identifier: Apache-2.0
//
// Dominators, post-dominators and loops of graphs drawn at random, against their definitions.
#include "libcoalcheck/ptx/control_flow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "libcoalcheck/ptx/reader.h"

namespace coalcheck::ptx {
namespace {

using Next = std::function<const std::vector<std::uint32_t>&(std::uint32_t)>;

// What can be reached from a block without entering another one.
std::vector<bool> Reached(std::size_t count, std::uint32_t from, std::uint32_t without,
                          const Next& next) {
  std::vector<bool> seen(count);
  std::vector<std::uint32_t> work;
  if (from != without) work.push_back(from);
  while (!work.empty()) {
    const std::uint32_t at = work.back();
    work.pop_back();
    if (seen[at]) continue;
    seen[at] = true;
    for (const std::uint32_t to : next(at)) {
      if (to != without) work.push_back(to);
    }
  }
  return seen;
}

// Blocks of one instruction: a branch, a guarded branch, an end, or nothing.
std::string DrawText(std::mt19937& draw, std::uint32_t blocks) {
  std::string text = ".entry k() {\n";
  for (std::uint32_t i = 0; i < blocks; ++i) {
    const std::string target = "B" + std::to_string(draw() % blocks);
    text += "B" + std::to_string(i) + ": ";
    const auto kind = draw() % 8;
    if (kind == 0) {
      text += "bra " + target + ";\n";
    } else if (kind == 1) {
      text += "ret;\n";
    } else if (kind == 2) {
      text += "@%p ret;\n";
    } else {
      text += "@%p bra " + target + ";\n";
    }
  }
  return text + "}";
}

class Oracle {
 public:
  explicit Oracle(const ControlFlow& flow) : flow_(flow), count_(flow.blocks().size()) {
    next_ = [this](std::uint32_t block) -> const std::vector<std::uint32_t>& {
      return flow_.blocks()[block].next;
    };
    previous_ = [this](std::uint32_t block) -> const std::vector<std::uint32_t>& {
      return flow_.blocks()[block].previous;
    };
    reached_ = Reached(count_, 0, kNone, next_);
  }

  bool IsReached(std::uint32_t block) const { return reached_[block]; }

  bool Dominates(std::uint32_t above, std::uint32_t below) const {
    return reached_[above] && reached_[below] &&
           (above == below || !Reached(count_, 0, above, next_)[below]);
  }

  // Whether an end can be reached from a block without entering another one.
  bool MayEnd(std::uint32_t from, std::uint32_t without) const {
    const std::vector<bool> reached = Reached(count_, from, without, next_);
    for (std::uint32_t b = 0; b < count_; ++b) {
      if (reached[b] && flow_.blocks()[b].may_end) return true;
    }
    return false;
  }

  // All natural loops with this header in one; empty when it is none.
  std::vector<bool> LoopOf(std::uint32_t header) const {
    std::vector<bool> loop(count_);
    for (std::uint32_t from = 0; from < count_; ++from) {
      const auto& next = flow_.blocks()[from].next;
      const bool turns = std::find(next.begin(), next.end(), header) != next.end();
      if (!turns || !Dominates(header, from)) continue;
      loop[header] = true;
      const std::vector<bool> body = Reached(count_, from, header, previous_);
      for (std::uint32_t b = 0; b < count_; ++b) loop[b] = loop[b] || (body[b] && reached_[b]);
    }
    return loop;
  }

 private:
  const ControlFlow& flow_;
  std::size_t count_;
  Next next_;
  Next previous_;
  std::vector<bool> reached_;
};

void ExpectDominators(const ControlFlow& flow, const Oracle& oracle) {
  for (std::uint32_t a = 0; a < flow.blocks().size(); ++a) {
    for (std::uint32_t b = 0; b < flow.blocks().size(); ++b) {
      ASSERT_EQ(flow.Dominates(a, b), oracle.Dominates(a, b)) << a << " over " << b;
    }
    const std::uint32_t above = flow.blocks()[a].dominator;
    ASSERT_EQ(above == kNone, a == 0 || !oracle.IsReached(a)) << a;
    if (above == kNone) continue;
    for (std::uint32_t b = 0; b < flow.blocks().size(); ++b) {
      if (b != a && oracle.Dominates(b, a)) {
        ASSERT_TRUE(oracle.Dominates(b, above));
      }
    }
  }
}

void ExpectPostDominators(const ControlFlow& flow, const Oracle& oracle) {
  const auto count = static_cast<std::uint32_t>(flow.blocks().size());
  for (std::uint32_t b = 0; b < count; ++b) {
    if (!oracle.MayEnd(b, kNone)) return;  // an endless loop has no definition to compare with
  }
  for (std::uint32_t b = 0; b < count; ++b) {
    std::vector<bool> found(count);
    for (std::uint32_t at = flow.blocks()[b].post_dominator; at != kNone;
         at = flow.blocks()[at].post_dominator) {
      ASSERT_FALSE(found[at]);
      found[at] = true;
    }
    for (std::uint32_t a = 0; a < count; ++a) {
      if (a != b) {
        ASSERT_EQ(found[a], !oracle.MayEnd(b, a)) << a << " behind " << b;
      }
    }
  }
}

void ExpectLoops(const ControlFlow& flow, const Oracle& oracle) {
  const auto count = static_cast<std::uint32_t>(flow.blocks().size());
  std::size_t loops = 0;
  for (std::uint32_t header = 0; header < count; ++header) {
    const std::vector<bool> expected = oracle.LoopOf(header);
    const auto found = std::find_if(flow.loops().begin(), flow.loops().end(),
                                    [&](const Loop& loop) { return loop.header == header; });
    ASSERT_EQ(found != flow.loops().end(), expected[header]) << header;
    if (found == flow.loops().end()) continue;
    ++loops;
    std::vector<bool> blocks(count);
    const auto number = static_cast<std::uint32_t>(found - flow.loops().begin());
    for (const std::uint32_t block : flow.BlocksOf(number)) blocks[block] = true;
    ASSERT_EQ(blocks, expected) << header;
    ASSERT_TRUE(found->parent == kNone || found->parent < number);
    const bool has_other = std::ranges::any_of(flow.loops(), [&](const Loop& loop) {
      return loop.header != header && blocks[loop.header];
    });
    ASSERT_EQ(found->is_innermost, !has_other) << header;
  }
  ASSERT_EQ(loops, flow.loops().size());
}

// Where a block is counted to: the smallest of the loops that hold it.
void ExpectInnermostLoops(const ControlFlow& flow) {
  for (std::uint32_t b = 0; b < flow.blocks().size(); ++b) {
    std::size_t smallest = flow.blocks().size() + 1;
    for (std::uint32_t loop = 0; loop < flow.loops().size(); ++loop) {
      const auto blocks = flow.BlocksOf(loop);
      const bool holds = std::ranges::find(blocks, b) != blocks.end();
      if (holds) smallest = std::min(smallest, blocks.size());
    }
    const std::uint32_t found = flow.blocks()[b].loop;
    ASSERT_EQ(found == kNone, smallest > flow.blocks().size()) << b;
    if (found != kNone) {
      ASSERT_EQ(flow.BlocksOf(found).size(), smallest) << b;
    }
  }
}

TEST(ControlFlow, OfGraphsDrawnAtRandomIsWhatItsDefinitionSays) {
  std::mt19937 draw(11);
  for (int i = 0; i < 600; ++i) {
    const std::string text = DrawText(draw, static_cast<std::uint32_t>(1 + draw() % 12));
    SCOPED_TRACE(text);
    const Module module(text);
    const ControlFlow flow(module.Read(module.functions().at(0)));
    const Oracle oracle(flow);
    ExpectDominators(flow, oracle);
    ExpectPostDominators(flow, oracle);
    ExpectLoops(flow, oracle);
    ExpectInnermostLoops(flow);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(ControlFlow, PutsEachBlockBehindThoseThatLeadToItButForLoops) {
  std::mt19937 draw(12);
  for (int i = 0; i < 200; ++i) {
    const std::string text = DrawText(draw, static_cast<std::uint32_t>(1 + draw() % 12));
    const Module module(text);
    const ControlFlow flow(module.Read(module.functions().at(0)));
    std::vector<std::size_t> place(flow.blocks().size(), flow.blocks().size());
    for (std::size_t k = 0; k < flow.order().size(); ++k) place[flow.order()[k]] = k;
    for (std::uint32_t b = 0; b < flow.blocks().size(); ++b) {
      const std::uint32_t above = flow.blocks()[b].dominator;
      if (above != kNone) {
        EXPECT_LT(place[above], place[b]);
      }
    }
  }
}

TEST(ControlFlow, OfTwoWaysTheOneToATrapIsNone) {
  for (const char* body :
       {"@%p bra B1; trap; B1: ret;", "@%p bra B1; ret; B1: trap;", "@%p trap; B1: ret;"}) {
    const std::string text = std::string(".entry k() {\n") + body + "\n}";
    const Module module(text);
    const ControlFlow flow(module.Read(module.functions().at(0)));
    EXPECT_EQ(flow.blocks()[0].next.size(), 1U) << body;
    EXPECT_FALSE(flow.blocks()[0].may_end) << body;
  }
  const Module module(".entry k() {\n@%p bra B1;\ntrap;\nB1: trap;\n}");
  EXPECT_EQ(ControlFlow(module.Read(module.functions().at(0))).blocks()[0].next.size(), 2U);
}

TEST(ControlFlow, OfNothingIsOneBlock) { EXPECT_EQ(ControlFlow(Function()).blocks().size(), 1U); }

}  // namespace
}  // namespace coalcheck::ptx
