// SPDX-License-Identifier: Apache-2.0
//
// Takes a warp's requests apart into elements by thread, and deals these out to lanes again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "libcoalcheck/moves/trial.h"

namespace coalcheck::moves {

class Dealer : public address::RequestFilter {
 public:
  enum class To : std::uint8_t {
    kWarp,    // elements of all threads of a warp, one thread's after the other's
    kThread,  // those of each thread by themselves
  };
  // What is asked for otherwise; all else stays as it is.
  struct Rules {
    To to = To::kWarp;
    std::set<std::uint32_t> dealt{};     // leaders
    std::set<std::uint32_t> repeated{};  // those of which a thread has one for all its elements
    // Of rounds that data decide: what a thread asks for goes on as it began.
    std::set<std::uint32_t> open{};
    bool drops_rests = false;  // what fills no warp behind others that do, as loops were left early
  };
  // `dealt`: gets what becomes of whom; its leaders are filled in.
  Dealer(Rules rules, Dealt& dealt) : rules_(std::move(rules)), dealt_(dealt) {}

  void Begin(address::RequestSink& sink, address::Unknowns& unknowns) override;
  void Take(const address::Request& request) override;
  void End() override;

  // Whether all could be kept, and where threads of a warp share theirs, each had as many.
  bool fits() const { return fits_ && (is_even_ || rules_.to == To::kThread); }
  bool has_rests() const { return has_rests_; }
  std::uint32_t most() const { return most_; }  // elements of a thread
  // Whether each thread had as many of each leader.
  bool is_elementwise() const { return is_elementwise_; }

 private:
  using Elements = std::vector<address::Value>;
  using Threads = std::array<Elements, kWarpSize>;
  struct Kept {
    Threads threads;
    address::Taking taking = address::Taking::kCertain;
    address::Origins origins = 0;
  };

  void Note(std::uint32_t leader, const Threads& threads);
  void Deal(std::uint32_t leader, const Kept& kept);
  void DealOpen(std::uint32_t leader, const Kept& kept);
  // `may_be_cut`: whether more elements may have followed, had the loop not been left early.
  void Send(std::uint32_t leader, const Kept& kept, Elements& row, bool may_be_cut = true);

  const Rules rules_;
  Dealt& dealt_;
  bool filled_ = false;                 // the request before took a whole warp
  std::map<std::uint32_t, Kept> kept_;  // by leader
  std::size_t size_ = 0;
  std::uint32_t turn_ = 0;
  std::uint32_t most_ = 0;
  bool fits_ = true;
  bool is_even_ = true;
  bool is_elementwise_ = true;
  bool has_rests_ = false;
};

}  // namespace coalcheck::moves
