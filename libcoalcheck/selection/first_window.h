// SPDX-License-Identifier: Apache-2.0
//
// Whether a kernel of which no window is known may have its first one: what it will cost is
// foretold from an uncounted launch, or bounded by its threads and its code.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

namespace coalcheck::selection {

// How long windows of this process took, compared with their prediction. Any thread.
class Corrections {
 public:
  static constexpr double kLeast = 0.5;
  static constexpr double kMost = 4;

  // A launch was foretold to take so long counted, and took so long. Of launches shorter than a
  // tenth of a second nothing is learnt: they took longer to begin.
  void Saw(std::chrono::nanoseconds foretold, std::chrono::nanoseconds took);
  // The factor for predictions: the mean of the ratios seen, and of 1.
  double factor() const;

 private:
  std::atomic<std::uint64_t> windows_{0};
  std::atomic<std::uint64_t> thousandths_{0};  // of all factors together
};

// What counting a launch of so many threads takes at most where each of them makes so many accesses
// to global memory: 4 ns for one of a warp, all together, and 0.9 us for those of each warp, one
// after the other.
std::chrono::nanoseconds TimeToCount(std::uint64_t threads, double accesses);

// What is known of a kernel before its first window.
struct FirstLaunch {
  std::optional<std::chrono::nanoseconds> uncounted = {};  // takes a launch of so many threads
  bool outlived = false;  // an uncounted launch ran on when its end was not waited for any longer
  std::chrono::nanoseconds by_code{0};  // TimeToCount
  double share = 0;  // of the instructions that the kernel executes are accesses, by its code
  // Accesses are in loops of an unknown number of rounds: `by_code` is a guess, else a bound.
  bool in_loops = true;
};

// What the window may take.
struct Allowance {
  std::chrono::nanoseconds limit;    // by itself
  std::chrono::nanoseconds left;     // with all first windows so far; see FirstWindowBudget
  std::chrono::nanoseconds reserve;  // the same, for a short window beyond `left`
};
// A short one.
inline constexpr std::chrono::milliseconds kShortWindow{500};

enum class FirstWindow {
  kOpen,
  kTimeFirst,  // not before an uncounted launch has shown how long it takes
  kLeaveOut
};
// `correction`: the factor for the prediction.
FirstWindow RuleOn(const FirstLaunch& launch, double correction, const Allowance& allowance);

// What the window is expected to take: 2000 times as long, if every instruction were an access. In
// the 4 ns of one an H200 issues that many, at half the rate that it can. No more than the code
// allows. Empty: no launch was timed to its end.
std::optional<std::chrono::nanoseconds> ExpectedOf(const FirstLaunch& launch, double correction);

}  // namespace coalcheck::selection
