// SPDX-License-Identifier: Apache-2.0
//
// What a thread asked for turn by turn is dealt out to the lanes of a warp: all elements of its
// threads, one thread's after the other's, or each thread's by themselves.
#include "libcoalcheck/moves/turn_moves.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "libcoalcheck/address/warp_runner.h"
#include "libcoalcheck/moves/arrays.h"
#include "libcoalcheck/moves/copies.h"
#include "libcoalcheck/moves/dealer.h"
#include "libcoalcheck/moves/recurrence.h"
#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::moves {
namespace {

constexpr std::uint32_t kMostBlocked = 64;  // elements of a thread
constexpr std::uint32_t kFewestRounds = 8;  // that are worth a warp
// What a thread takes of an array that is worth striping: of less L1 keeps the sectors until the
// next round, and kernels become no faster or slower.
constexpr std::uint32_t kFewestStriped = 3;       // elements
constexpr std::uint32_t kMostBytesUnstriped = 4;  // that are too few, however many elements
constexpr std::size_t kMostInstructions = 4096;
constexpr std::size_t kMostAccesses = 256;  // every pair is compared
// A kernel that puts together what it loads stores so much less at least.
constexpr double kPutTogether = 8;

class Turns {
 public:
  explicit Turns(Trial& trial)
      : trial_(trial),
        subject_(trial.subject()),
        function_(subject_.program.function()),
        has_open_rounds_(subject_.evaluation.has_open_rounds && !subject_.evaluation.is_cut()) {}

  std::vector<Move> Try() {
    if (!Begin()) return {};
    if (!UsesOthersElements()) {
      TryStriped();
      TryAlongLoop();
    }
    TryTiles();
    return std::move(moves_);
  }

  std::vector<Move> TryRegrouped() {
    if (Begin()) TryStripedSums();
    return std::move(moves_);
  }

 private:
  const ptx::ControlFlow& flow() const { return subject_.program.flow(); }

  // False where the kernel is too large.
  bool Begin() {
    if (function_.instructions.size() > kMostInstructions) return false;
    if (subject_.counted.size() > kMostAccesses) return false;
    copies_ = CopiesOf(subject_);
    leaders_ = LeadersOf(copies_);
    for (const auto& [instruction, leader] : leaders_) all_.insert(leader);
    dealt_by_thread_.leaders = leaders_;
    NoteWriters();
    return true;
  }

  std::uint32_t LoopOf(std::uint32_t instruction) const {
    return flow().blocks()[flow().BlockOf(instruction)].loop;
  }

  // Whether a load may be of what another turn stored: of the same array, and not the same element.
  bool UsesOthersElements() const {
    for (const auto& [load, of_load] : copies_) {
      if (of_load.array.op != ptx::Op::kLd) continue;
      bool is_stored = false;
      bool is_same = false;
      for (const auto& [store, of_store] : copies_) {
        // What is stored behind the loop no turn loads.
        const bool meets =
            of_store.array.op != ptx::Op::kLd &&
            (of_load.loop == ptx::kNone || of_store.loop != ptx::kNone) &&
            !IsLoopBefore(load, store) &&
            PlaceOf(subject_, of_store.array.pointer) == PlaceOf(subject_, of_load.array.pointer);
        if (!meets) continue;
        is_stored = true;
        const address::Formula* a = subject_.formulas.Of(load);
        const address::Formula* b = subject_.formulas.Of(store);
        is_same = is_same || (a && b && address::ConstantDistance(*a, *b) == 0);
      }
      if (is_stored && !is_same) return true;
    }
    return false;
  }

  // Whether all turns of the one are over when the other's first begins.
  bool IsLoopBefore(std::uint32_t one, std::uint32_t other) const {
    const std::uint32_t first = LoopOf(one);
    const std::uint32_t second = LoopOf(other);
    const auto is_outermost = [this](std::uint32_t loop) {
      return loop != ptx::kNone && flow().loops()[loop].parent == ptx::kNone;
    };
    return first != second && is_outermost(first) && is_outermost(second) && one < other;
  }

  void NoteWriters() {
    writers_.resize(function_.registers.size());
    for (std::uint32_t i = 0; i < function_.instructions.size(); ++i) {
      for (const std::uint32_t reg : ptx::Writes(function_, function_.instructions[i])) {
        writers_[reg].push_back(i);
      }
    }
  }

  // Loads whose values a store's is made of, whatever the path.
  std::set<std::uint32_t> LoadsBehind(std::uint32_t store) const {
    std::set<std::uint32_t> loads;
    std::set<std::uint32_t> seen;
    const auto of_store = ptx::Reads(function_, function_.instructions[store]);
    std::vector<std::uint32_t> open(of_store.begin(), of_store.end());
    while (!open.empty()) {
      const std::uint32_t reg = open.back();
      open.pop_back();
      if (!seen.insert(reg).second) continue;
      for (const std::uint32_t i : writers_[reg]) {
        if (copies_.contains(i)) loads.insert(i);
        for (const std::uint32_t read : ptx::Reads(function_, function_.instructions[i])) {
          open.push_back(read);
        }
      }
    }
    return loads;
  }

  // Whether each element that is stored is made of the same copies of what is loaded, and of what a
  // thread has one of for all its elements.
  bool IsElementwise(const std::set<std::uint32_t>& repeated) const {
    for (const auto& [store, of_store] : copies_) {
      if (of_store.array.op != ptx::Op::kSt) continue;
      for (const std::uint32_t load : LoadsBehind(store)) {
        const Copy& of_load = copies_.at(load);
        if (repeated.contains(of_load.leader) || load == store) continue;
        if (of_load.loop != of_store.loop || of_load.number != of_store.number) return false;
      }
    }
    return true;
  }

  // Loads that a thread makes once where others are in a loop or recur.
  std::set<std::uint32_t> OncePerThread() const {
    std::map<std::uint32_t, std::size_t> copies;
    for (const auto& [instruction, copy] : copies_) ++copies[copy.leader];
    std::set<std::uint32_t> once;
    for (const auto& [instruction, copy] : copies_) {
      const address::EvaluatedAccess* access = subject_.evaluation.Find(instruction);
      const bool is_alone = copies[copy.leader] == 1 && access != nullptr && !access->turns;
      const bool is_load = copy.array.op == ptx::Op::kLd;
      if (is_load && is_alone && copy.loop == ptx::kNone) once.insert(copy.leader);
    }
    // Where all are, nothing recurs.
    return once.size() == all_.size() ? std::set<std::uint32_t>() : once;
  }

  // The worst of all loops that accesses are in; kIndependent outside of loops.
  Rounds WorstRounds() {
    if (!worst_rounds_) worst_rounds_ = FindWorstRounds();
    return *worst_rounds_;
  }

  Rounds FindWorstRounds() const {
    std::set<std::uint32_t> loops;
    for (const auto& [instruction, copy] : copies_) loops.insert(LoopOf(instruction));
    loops.erase(ptx::kNone);
    const Rounds worst = WorstRoundsOf(function_, flow(), loops);
    std::map<std::uint32_t, std::uint32_t> copies;  // by leader
    for (const auto& [instruction, copy] : copies_) ++copies[copy.leader];
    std::map<std::uint32_t, std::uint32_t> rounds;  // by load
    for (const auto& [instruction, copy] : copies_) {
      const bool is_round = copy.loop == ptx::kNone && copies[copy.leader] >= kFewestRounds;
      if (is_round && copy.array.op == ptx::Op::kLd) rounds.emplace(instruction, copy.number);
    }
    return std::max(worst, UnrolledRounds(function_, rounds));
  }

  // In a loop, or in one that the compiler unrolled whole.
  bool IsInLoop() const {
    return std::ranges::any_of(copies_, [&](const auto& one) {
      return LoopOf(one.first) != ptx::kNone || one.second.number + 1 >= kFewestRounds;
    });
  }

  // Whether each access goes on by the same number of bytes from round to round, or data decide.
  bool HasSteadyTurns() const {
    return std::ranges::all_of(copies_, [&](const auto& one) {
      const address::EvaluatedAccess* access = subject_.evaluation.Find(one.first);
      return access != nullptr && (!access->turns || access->has_turn_step || access->by_data > 0);
    });
  }

  bool IsNested() const {
    return std::ranges::any_of(copies_, [&](const auto& one) {
      const std::uint32_t loop = LoopOf(one.first);
      return loop != ptx::kNone && flow().loops()[loop].parent != ptx::kNone;
    });
  }

  void TryStriped() {
    const std::set<std::uint32_t> once = OncePerThread();
    if (has_open_rounds_ || WorstRounds() != Rounds::kIndependent || !IsElementwise(once)) return;
    // To repeat most of what a thread does is no way to spare anything.
    if (2 * once.size() >= all_.size()) return;
    AddStriped({.to = Dealer::To::kWarp, .dealt = all_, .repeated = once});
  }

  // Of sums, in which no element has a place.
  void TryStripedSums() {
    if (has_open_rounds_ || WorstRounds() == Rounds::kInOrder) return;
    Dealer::Rules rules;
    const std::set<std::uint32_t> once = OncePerThread();
    double loaded = 0;
    double stored = 0;
    for (const auto& [instruction, copy] : copies_) {
      const bool is_load = copy.array.op == ptx::Op::kLd;
      (is_load ? loaded : stored) += subject_.counted.at(instruction).lanes;
      if (is_load && !once.contains(copy.leader)) rules.dealt.insert(copy.leader);
    }
    if (rules.dealt.empty() || stored * kPutTogether > loaded) return;
    AddStriped(rules);
    for (Move& move : moves_) move.regroups = true;
  }

  // Bytes of a lane.
  std::uint32_t NarrowestOf(const std::set<std::uint32_t>& leaders) const {
    std::uint32_t narrowest = ~std::uint32_t{0};
    for (const std::uint32_t one : leaders) {
      narrowest = std::min(narrowest, copies_.at(one).width);
    }
    return narrowest;
  }

  void AddStriped(const Dealer::Rules& rules) {
    Dealt dealt;
    dealt.leaders = leaders_;
    Dealer dealer(rules, dealt);
    const auto after = trial_.Run(subject_.launch, {.filter = &dealer, .dealt = &dealt});
    const bool is_blocked = dealer.most() >= kFewestStriped && dealer.most() <= kMostBlocked &&
                            dealer.most() * NarrowestOf(rules.dealt) > kMostBytesUnstriped;
    if (!after || !dealer.fits() || !is_blocked || !dealer.is_elementwise() || after->is_cut()) {
      return;
    }
    moves_.push_back(trial_.Compare(MoveKind::kStriped, *after, nullptr, &dealt));
    moves_.back().turns = dealer.most();
  }

  // The rounds of each thread, a warp at a time. Empty when that was not done to an end, or there
  // are too few of them.
  const std::optional<address::LaunchEvaluation>& RunByThread() {
    if (!by_thread_) by_thread_ = has_open_rounds_ ? RunOpenRounds() : RunRounds();
    return *by_thread_;
  }

  std::optional<address::LaunchEvaluation> RunRounds() {
    Dealer dealer({.to = Dealer::To::kThread, .dealt = all_}, dealt_by_thread_);
    const Trial::Changed changed{.filter = &dealer, .dealt = &dealt_by_thread_};
    auto after = trial_.Run(subject_.launch, changed);
    if (!after || !dealer.fits() || dealer.most() < kFewestRounds) return std::nullopt;
    if (!after->is_cut() || !dealer.has_rests()) return after;
    Dealer whole({.to = Dealer::To::kThread, .dealt = all_, .drops_rests = true}, dealt_by_thread_);
    after = trial_.Run(subject_.launch, {.filter = &whole, .dealt = &dealt_by_thread_});
    return whole.has_rests() ? std::nullopt : std::move(after);
  }

  // Data decide how many rounds there are.
  std::optional<address::LaunchEvaluation> RunOpenRounds() {
    Dealer::Rules rules{.to = Dealer::To::kThread, .dealt = all_};
    for (const auto& [instruction, copy] : copies_) {
      if (copy.loop != ptx::kNone) rules.open.insert(copy.leader);
    }
    Dealer dealer(rules, dealt_by_thread_);
    auto after = trial_.Run(subject_.launch, {.filter = &dealer, .dealt = &dealt_by_thread_});
    if (!after || !dealer.fits()) return std::nullopt;
    std::map<std::uint32_t, double> lanes;  // by leader
    for (const auto& [instruction, copy] : copies_) {
      lanes[copy.leader] += subject_.counted.at(instruction).lanes;
    }
    for (const std::uint32_t leader : rules.open) {
      const address::EvaluatedAccess* rows = after->Find(leader);
      if (rows != nullptr && lanes[leader] >= kFewestRounds * rows->sums.requests) return after;
    }
    return std::nullopt;
  }

  void TryAlongLoop() {
    if (!IsInLoop() || IsNested() || !HasSteadyTurns()) return;
    const Rounds rounds = WorstRounds();
    if (rounds == Rounds::kInOrder) return;
    const auto& after = RunByThread();
    if (!after) return;
    moves_.push_back(trial_.Compare(MoveKind::kLanesAlongLoop, *after, nullptr, &dealt_by_thread_));
    moves_.back().reduces = rounds == Rounds::kReduced;
  }

  // A warp fetches the next rounds of all its threads through a tile of its own, a thread's side by
  // side; each thread goes on to take its rounds in their order.
  void TryTiles() {
    if (has_open_rounds_ || !IsInLoop() || IsNested() || !HasSteadyTurns()) return;
    const auto& after = RunByThread();
    if (!after) return;
    std::map<ArrayAccess, std::set<std::uint32_t>> arrays;
    for (const auto& [instruction, copy] : copies_) {
      const bool is_moved = copy.array.op == ptx::Op::kLd || copy.array.op == ptx::Op::kSt;
      const bool is_open = subject_.evaluation.Find(instruction)->IsOpen();
      if (is_moved && !is_open && copy.loop != ptx::kNone) arrays[copy.array].insert(instruction);
    }
    for (const auto& [array, instructions] : arrays) AddTile(*after, array, instructions);
  }

  void AddTile(const address::LaunchEvaluation& after, const ArrayAccess& array,
               const std::set<std::uint32_t>& instructions) {
    const std::uint32_t width = copies_.at(*instructions.begin()).width;
    Move move = trial_.Compare(MoveKind::kSharedTile, after, &instructions, &dealt_by_thread_);
    if (width == 0 || move.after >= move.before) return;
    const std::uint32_t pitch = PitchOf(kWarpSize, width);
    const Bytes bytes(std::uint64_t{address::WarpsOf(subject_.launch)} * kWarpSize * pitch * width);
    if (bytes > kMostShared) return;
    move.tile = {kWarpSize, kWarpSize, pitch, bytes};
    move.width = Bytes(width);
    if (array.pointer.parameter != ptx::kNone) move.parameters = {array.pointer.parameter};
    move.turns = kWarpSize;
    moves_.push_back(std::move(move));
  }

  Trial& trial_;
  const Subject& subject_;
  const ptx::Function& function_;
  const bool has_open_rounds_;            // data decide how often loops go round
  std::map<std::uint32_t, Copy> copies_;  // by instruction
  Leaders leaders_;
  std::set<std::uint32_t> all_;                      // leaders
  std::vector<std::vector<std::uint32_t>> writers_;  // instructions, by register
  std::optional<Rounds> worst_rounds_;
  // What RunByThread found, once it was asked.
  std::optional<std::optional<address::LaunchEvaluation>> by_thread_;
  Dealt dealt_by_thread_;
  std::vector<Move> moves_;
};

}  // namespace

std::vector<Move> TurnMoves(Trial& trial) { return Turns(trial).Try(); }

std::vector<Move> RegroupedTurns(Trial& trial) { return Turns(trial).TryRegrouped(); }

}  // namespace coalcheck::moves
