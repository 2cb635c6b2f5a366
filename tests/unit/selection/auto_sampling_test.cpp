// SPDX-License-Identifier: Apache-2.0
//
// Sampling `auto` with a budget, in a simulated program: what it may cost, and what it must see.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "libcoalcheck/selection/budget.h"
#include "libcoalcheck/selection/sampling.h"

namespace coalcheck::selection {
namespace {

using std::chrono::nanoseconds;
using Random = std::mt19937_64;

struct Shape {
  std::size_t kernel = 0;
  ShapeHistory history;
};

struct Thread {
  nanoseconds now{0};     // when it does the next thing
  nanoseconds window{0};  // the cost of the window it is in
  bool is_optional = false;
};

// Threads that launch shapes of kernels at random, each at its own rate.
class Program {
 public:
  explicit Program(std::uint64_t seed)
      : random_(seed), budget_(BudgetShare::Parse(AnyShare()).value()), threads_(1 + Below(4)) {
    kernels_.resize(1 + Below(20));
    shapes_.resize(kernels_.size() + Below(40));
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      shapes_[i].kernel = i < kernels_.size() ? i : Below(kernels_.size());
      shapes_[i].history.counts_differ = Below(4) == 0;
    }
    longest_gap_ = std::uint64_t{1} << (8 + Below(16));
    costliest_ = std::uint64_t{1} << (10 + Below(16));
  }

  void Run(int events) {
    for (int i = 0; i < events; ++i) {
      Thread& next =
          *std::min_element(threads_.begin(), threads_.end(),
                            [](const Thread& a, const Thread& b) { return a.now < b.now; });
      if (next.window > nanoseconds(0)) {
        End(next);
      } else {
        Launch(next);
      }
      if (testing::Test::HasFatalFailure()) return;
    }
  }

  void CheckEveryLaunchedKernelWasCountedAtItsFirstLaunch() const {
    for (const Kernel& kernel : kernels_) EXPECT_EQ(kernel.first_window, kernel.launches > 0);
  }

  void CheckWindowsGrowWithTheLogarithmOfLaunches() const {
    for (const Shape& shape : shapes_) {
      if (shape.history.windows == 0) continue;
      const double growth = shape.history.counts_differ ? 2 : 4;
      const double most =
          1 + std::log(static_cast<double>(shape.history.earlier_launches)) / std::log(growth);
      EXPECT_LE(static_cast<double>(shape.history.windows), most + 1e-9);
    }
  }

  bool AnyRepeat() const {
    return std::any_of(shapes_.begin(), shapes_.end(),
                       [](const Shape& shape) { return shape.history.windows > 1; });
  }

 private:
  struct Kernel {
    std::uint64_t launches = 0;
    std::uint64_t windows = 0;
    bool first_window = false;
  };

  std::uint64_t Below(std::uint64_t limit) { return random_() % limit; }
  const char* AnyShare() {
    constexpr const char* kShares[] = {"0.1%", "1%", "5%", "50%"};
    return kShares[Below(4)];
  }

  // What asked for its window fits in the share; threads that asked at the same time may each be
  // one window ahead.
  void End(Thread& thread) {
    budget_.Spent(thread.window);
    if (thread.is_optional) optional_ += thread.window;
    thread.window = nanoseconds(0);
    thread.now += nanoseconds(1 + Below(longest_gap_));
    const nanoseconds ahead(costliest_ * threads_.size());
    ASSERT_LE(optional_, budget_.share().Of(thread.now) + ahead);
  }

  void Launch(Thread& thread) {
    // Some shapes are launched far more often than others.
    Shape& shape = shapes_[Below(1 + Below(shapes_.size()))];
    Kernel& kernel = kernels_[shape.kernel];
    shape.history.kernel_windows = kernel.windows;
    const Wish wish = WishFor({Sampling::Kind::kAuto, 1}, shape.history);
    const std::uint64_t ordinal = ++shape.history.earlier_launches;
    const bool has_window =
        wish == Wish::kAlways || (wish == Wish::kIfAffordable && budget_.Affords(thread.now));
    if (kernel.launches++ == 0) kernel.first_window = has_window;
    if (!has_window) {
      thread.now += nanoseconds(1 + Below(longest_gap_));
      return;
    }
    ++kernel.windows;
    ++shape.history.windows;
    shape.history.last_window_launch = ordinal;
    thread.is_optional = wish == Wish::kIfAffordable;
    thread.window = nanoseconds(1 + Below(costliest_));
    thread.now += thread.window;
  }

  Random random_;
  WindowBudget budget_;
  std::vector<Thread> threads_;
  std::vector<Kernel> kernels_;
  std::vector<Shape> shapes_;
  std::uint64_t longest_gap_ = 0;
  std::uint64_t costliest_ = 0;
  nanoseconds optional_{0};
};

TEST(AutoSampling, KeepsItsPromisesInRandomPrograms) {
  int with_repeats = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    Program program(seed);
    program.Run(3000);
    program.CheckEveryLaunchedKernelWasCountedAtItsFirstLaunch();
    program.CheckWindowsGrowWithTheLogarithmOfLaunches();
    with_repeats += program.AnyRepeat() ? 1 : 0;
    if (HasFailure()) return;
  }
  EXPECT_GT(with_repeats, 100);  // the budget is spent, too
}

}  // namespace
}  // namespace coalcheck::selection
