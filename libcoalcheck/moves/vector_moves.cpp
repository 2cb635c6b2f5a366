// SPDX-License-Identifier: Apache-2.0
//
// Requests of one array by which each lane takes a part of the same aligned bytes are counted as
// one request for all of these. The bytes are as many as the machine takes at once, or fewer where
// lanes are no multiple of them apart.
#include "libcoalcheck/moves/vector_moves.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "libcoalcheck/moves/arrays.h"
#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::moves {
namespace {

using address::LaneMask;
using address::Request;

constexpr std::uint32_t kWidest = 16;         // bytes that a lane loads or stores at once
constexpr std::size_t kMostOpen = 1U << 12U;  // vectors of one warp
constexpr double kMostLeft = 0.75;            // of the requests, for it to be worth the change
constexpr double kMostIncomplete = 0.125;     // of the stores, as of the last threads

// Accesses of one array and kind that run equally often.
struct SideBySide {
  ArrayAccess array;
  std::uint32_t loop = ptx::kNone;
  friend auto operator<=>(const SideBySide&, const SideBySide&) = default;
};

// The vectors that a stream's requests make up.
struct VectorPlan {
  std::set<std::uint32_t> accesses;
  std::uint32_t width = 0;  // of a vector
  bool fits = true;         // all lanes of each request take the same part of theirs
  double requests = 0;
  double vectors = 0;
  double incomplete = 0;  // requests of stores that fill none

  std::uint32_t leader() const { return *accesses.begin(); }
  bool IsWorthIt(bool is_store) const {
    return fits && requests > 0 && vectors <= kMostLeft * requests &&
           (!is_store || incomplete <= kMostIncomplete * requests);
  }
};

class Merger : public address::RequestFilter {
 public:
  Merger(const ptx::Function& function, std::map<SideBySide, VectorPlan>& plans, Dealt& dealt)
      : function_(function), plans_(plans), dealt_(dealt) {
    for (auto& [stream, plan] : plans_) {
      plan.fits = true;
      plan.requests = plan.vectors = plan.incomplete = 0;
      for (const std::uint32_t one : plan.accesses) {
        of_[one] = {&plan, stream.array.op == ptx::Op::kSt};
      }
    }
  }

  void Begin(address::RequestSink& sink, address::Unknowns& unknowns) override {
    RequestFilter::Begin(sink, unknowns);
    vectors_.clear();
    open_.clear();
  }

  void Take(const Request& request) override {
    const auto found = of_.find(request.instruction);
    if (found == of_.end() || request.active == 0) return next().Take(request);
    VectorPlan& plan = *found->second.plan;
    const std::uint32_t width =
        ptx::WidthOf(function_, function_.instructions[request.instruction]);
    const auto first = static_cast<std::uint32_t>(__builtin_ctz(request.active));
    const std::uint64_t offset = request.addresses.bits[first] % plan.width;
    const address::Form form = request.addresses.FormAt(first);
    bool fits = unknowns().IsMultiple(form, plan.width) &&
                request.taking == address::Taking::kCertain && width != 0 &&
                offset + width <= plan.width && vectors_.size() < kMostOpen;
    address::EachLane(request.active, [&](std::uint32_t lane) {
      const address::Value value = request.addresses.At(lane);
      fits = fits && value.bits % plan.width == offset && value.form == form;
    });
    plan.fits = plan.fits && fits;
    ++plan.requests;
    if (!plan.fits) return next().Take(request);
    Join(request, found->second, static_cast<std::uint32_t>(offset), width);
  }

  void End() override {
    for (const Vector& vector : vectors_) Send(vector);
    for (const auto& [stream, plan] : plans_) {
      if (plan.requests > 0) dealt_.times[plan.leader()] = plan.vectors / plan.requests;
    }
  }

 private:
  struct Of {
    VectorPlan* plan = nullptr;
    bool is_store = false;
  };
  struct Part {
    std::uint32_t offset = 0;
    std::uint32_t width = 0;
  };
  struct Vector {
    Of of;
    Request request;          // of the whole
    std::vector<Part> parts;  // that were asked for
    std::uint32_t taken = 0;  // bit i: byte i was
  };

  // Into the latest vector of the same lanes and place that lacks it, else into a new one.
  void Join(const Request& request, const Of& of, std::uint32_t offset, std::uint32_t width) {
    Request whole = request;
    whole.instruction = of.plan->leader();
    whole.width = of.plan->width;
    address::EachLane(request.active,
                      [&](std::uint32_t lane) { whole.addresses.bits[lane] -= offset; });
    const std::uint32_t bytes = ((1U << width) - 1) << offset;
    const auto first = static_cast<std::uint32_t>(__builtin_ctz(request.active));
    const auto [place, is_new] = open_.try_emplace(
        {of.plan, request.active, whole.addresses.bits[first], whole.addresses.FormAt(first)},
        vectors_.size());
    if (!is_new) {
      Vector& known = vectors_[place->second];
      bool is_same = (known.taken & bytes) == 0;
      address::EachLane(request.active, [&](std::uint32_t lane) {
        is_same = is_same && known.request.addresses.bits[lane] == whole.addresses.bits[lane];
      });
      if (is_same) {
        known.taken |= bytes;
        known.parts.push_back({offset, width});
        return;
      }
      place->second = vectors_.size();
    }
    vectors_.push_back({of, whole, {{offset, width}}, bytes});
  }

  // What stores leave out must not be written.
  void Send(const Vector& vector) {
    VectorPlan& plan = *vector.of.plan;
    const bool is_whole = vector.taken == (1U << plan.width) - 1;
    if (is_whole || !vector.of.is_store) {
      ++plan.vectors;
      return next().Take(vector.request);
    }
    for (const Part& part : vector.parts) {
      Request alone = vector.request;
      alone.width = part.width;
      address::EachLane(alone.active,
                        [&](std::uint32_t lane) { alone.addresses.bits[lane] += part.offset; });
      ++plan.vectors;
      ++plan.incomplete;
      next().Take(alone);
    }
  }

  struct Place {
    const VectorPlan* plan = nullptr;
    LaneMask active = 0;
    std::uint64_t begin = 0;
    address::Form form = address::kNoForm;  // is added to it
    friend auto operator<=>(const Place&, const Place&) = default;
  };

  const ptx::Function& function_;
  std::map<SideBySide, VectorPlan>& plans_;
  Dealt& dealt_;
  std::map<std::uint32_t, Of> of_;  // by instruction
  std::vector<Vector> vectors_;     // of the present warp
  std::map<Place, std::size_t> open_;
};

class Vectors {
 public:
  explicit Vectors(Trial& trial) : trial_(trial), subject_(trial.subject()) {}

  std::vector<Move> Try() {
    FindStreams();
    while (!plans_.empty()) {
      Dealt dealt = NobodyDealt();
      Merger merger(function(), plans_, dealt);
      std::set<std::uint32_t> accesses;
      for (const auto& [stream, plan] : plans_) {
        accesses.insert(plan.accesses.begin(), plan.accesses.end());
      }
      const Narrowed only(subject_, accesses);
      const auto after = trial_.Run(
          subject_.launch, {.filter = &merger, .dealt = &dealt, .only = &only, .keeps_work = true});
      if (!after) return {};
      if (Narrow()) continue;
      return {MoveOf(*after, accesses, dealt)};
    }
    return {};
  }

 private:
  const ptx::Function& function() const { return subject_.program.function(); }

  std::uint32_t WidthOf(std::uint32_t instruction) const {
    return ptx::WidthOf(function(), function().instructions[instruction]);
  }

  bool IsWasteful(std::uint32_t instruction) const {
    const address::EvaluatedAccess* access = subject_.evaluation.Find(instruction);
    if (access == nullptr) return false;
    const bool is_confirmed = !access->IsOpen() && subject_.confirmed.contains(instruction);
    if (is_confirmed) return access->sums.sectors > access->sums.ideal;
    // Data decide where all lanes together ask.
    const address::Sums& counted = subject_.counted.at(instruction);
    return access->LaneStep() && access->lane_open + access->warp_open == 0 &&
           subject_.by_data.contains(instruction) && counted.sectors > counted.ideal;
  }

  // The widest vector that lanes so far apart can each have one of.
  std::uint32_t WidestOf(std::uint32_t instruction) const {
    const auto step = subject_.evaluation.Find(instruction)->LaneStep();
    return step ? static_cast<std::uint32_t>(std::gcd(*step, std::uint64_t{kWidest})) : kWidest;
  }

  void FindStreams() {
    const ptx::ControlFlow& flow = subject_.program.flow();
    for (const auto& [instruction, counted] : subject_.counted) {
      if (!IsWasteful(instruction)) continue;
      const SideBySide stream{ArrayAccessOf(subject_, instruction),
                              flow.blocks()[flow.BlockOf(instruction)].loop};
      const bool moves_data = stream.array.op == ptx::Op::kLd || stream.array.op == ptx::Op::kSt;
      if (!moves_data || stream.array.pointer.parameter == ptx::kNone) continue;
      VectorPlan& plan = plans_[stream];
      const std::uint32_t widest = WidestOf(instruction);
      plan.width = plan.accesses.empty() ? widest : std::min(plan.width, widest);
      plan.accesses.insert(instruction);
    }
    std::erase_if(plans_, [&](const auto& one) { return !CanBeWider(one.second); });
  }

  bool CanBeWider(const VectorPlan& plan) const {
    return std::ranges::any_of(plan.accesses, [&](std::uint32_t one) {
      const bool recurs = plan.accesses.size() > 1 || subject_.evaluation.Find(one)->turns;
      return recurs && WidthOf(one) < plan.width;
    });
  }

  // Whether some vectors were too wide; they are half as wide then, or none.
  bool Narrow() {
    bool is_narrowed = false;
    for (auto one = plans_.begin(); one != plans_.end();) {
      VectorPlan& plan = one->second;
      const bool is_fine = plan.IsWorthIt(one->first.array.op == ptx::Op::kSt);
      if (!is_fine) plan.width /= 2;
      is_narrowed = is_narrowed || !is_fine;
      one = is_fine || CanBeWider(plan) ? std::next(one) : plans_.erase(one);
    }
    return is_narrowed;
  }

  Dealt NobodyDealt() const {
    Dealt dealt;
    for (const auto& [instruction, counted] : subject_.counted) {
      dealt.leaders[instruction] = instruction;
    }
    for (const auto& [stream, plan] : plans_) {
      for (const std::uint32_t one : plan.accesses) dealt.leaders[one] = plan.leader();
    }
    return dealt;
  }

  Move MoveOf(const address::LaunchEvaluation& after, const std::set<std::uint32_t>& accesses,
              Dealt& dealt) const {
    // Where no loop was left early, sums count each warp for those that it stands for.
    const bool is_whole = !after.is_cut() && !subject_.evaluation.is_cut();
    for (const auto& [stream, plan] : plans_) {
      double lanes = 0;
      for (const std::uint32_t one : plan.accesses) {
        lanes += subject_.evaluation.Find(one)->sums.lanes;
      }
      const double now = after.Find(plan.leader())->sums.lanes;
      if (is_whole) dealt.times[plan.leader()] = now / lanes;
    }
    Move move = trial_.Compare(MoveKind::kVector, after, &accesses, &dealt);
    for (const auto& [stream, plan] : plans_) {
      move.AddParameter(stream.array.pointer.parameter);
      for (Change& change : move.changes) {
        if (plan.accesses.contains(change.instruction)) change.vector = Bytes(plan.width);
      }
    }
    move.width = Bytes(WidthOf(*accesses.begin()));
    return move;
  }

  Trial& trial_;
  const Subject& subject_;
  std::map<SideBySide, VectorPlan> plans_;
};

}  // namespace

std::vector<Move> VectorMoves(Trial& trial) { return Vectors(trial).Try(); }

}  // namespace coalcheck::moves
