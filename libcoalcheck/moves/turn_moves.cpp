// SPDX-License-Identifier: Apache-2.0
//
// What a thread asked for turn by turn is dealt out to the lanes of a warp: all elements of its
// threads, one thread's after the other's, or each thread's by themselves.
#include "libcoalcheck/moves/turn_moves.h"

#include <algorithm>
#include <array>
#include <map>

#include "libcoalcheck/moves/arrays.h"
#include "libcoalcheck/moves/recurrence.h"
#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::moves {
namespace {

using address::LaneMask;
using address::Request;

constexpr std::uint32_t kMostBlocked = 64;   // elements of a thread
constexpr std::uint32_t kFewestRounds = 8;   // that are worth a warp
constexpr std::size_t kMostKept = 1U << 16;  // requests of a warp
constexpr std::size_t kMostInstructions = 4096;
constexpr std::size_t kMostAccesses = 256;  // every pair is compared

// Accesses that are copies of one in the source: of one line, array, kind and width.
struct Stream {
  ArrayAccess array;
  std::uint32_t width = 0;
  std::uint32_t line = 0;
  friend auto operator<=>(const Stream&, const Stream&) = default;
};

// Takes a warp's requests apart into elements by thread, and makes requests of them again.
class Dealer : public address::RequestFilter {
 public:
  // `drops_rests`: what fills no warp behind others that do is left out, as loops were left early.
  Dealer(const Leaders& leaders, bool by_thread, bool drops_rests = false)
      : leaders_(leaders), by_thread_(by_thread), drops_rests_(drops_rests) {}

  void Begin(address::RequestSink& sink) override {
    RequestFilter::Begin(sink);
    kept_.clear();
    size_ = 0;
    turn_ = 0;
  }

  void Take(const Request& request) override {
    const bool is_counted = leaders_.contains(request.instruction);
    fits_ = fits_ && is_counted && request.addresses.is_known && ++size_ < kMostKept;
    if (!fits_) return next().Take(request);
    auto& threads = kept_[leaders_.at(request.instruction)];
    address::EachLane(request.active, [&](std::uint32_t lane) {
      threads[lane].push_back(request.addresses.bits[lane]);
    });
  }

  void End() override {
    for (const auto& [stream, threads] : kept_) {
      Note(threads);
      std::vector<std::uint64_t> row;
      for (const std::vector<std::uint64_t>& thread : threads) {
        filled_ = filled_ && !by_thread_;
        for (const std::uint64_t element : thread) {
          row.push_back(element);
          if (row.size() == kWarpSize) Send(stream, row);
        }
        if (by_thread_) Send(stream, row);
      }
      Send(stream, row);
    }
  }

  // Whether all could be kept, and each thread of a warp had as many elements.
  bool fits() const { return fits_ && is_even_; }
  bool has_rests() const { return has_rests_; }
  std::uint32_t most() const { return most_; }  // elements of a thread
  // Whether each thread had as many in each stream.
  bool is_elementwise() const { return is_elementwise_; }

 private:
  using Threads = std::array<std::vector<std::uint64_t>, kWarpSize>;

  void Note(const Threads& threads) {
    const auto count = static_cast<std::uint32_t>(threads.front().size());
    for (const std::vector<std::uint64_t>& thread : threads) {
      is_even_ = is_even_ && (thread.empty() || thread.size() == count);
    }
    is_elementwise_ = is_elementwise_ && (most_ == 0 || most_ == count);
    most_ = std::max(most_, count);
  }

  void Send(std::uint32_t leader, std::vector<std::uint64_t>& row) {
    if (row.empty()) return;
    if (drops_rests_ && row.size() < kWarpSize && filled_) return row.clear();
    filled_ = row.size() == kWarpSize;
    has_rests_ = has_rests_ || (row.size() < kWarpSize && row.size() > 1);
    Request request;
    request.instruction = leader;
    request.turn = turn_++;
    for (std::uint32_t lane = 0; lane < row.size(); ++lane) {
      request.active |= LaneMask{1} << lane;
      request.addresses.bits[lane] = row[lane];
    }
    next().Take(request);
    row.clear();
  }

  const Leaders& leaders_;
  const bool by_thread_;
  const bool drops_rests_;
  bool filled_ = false;                    // the request before took a whole warp
  std::map<std::uint32_t, Threads> kept_;  // by leader
  std::size_t size_ = 0;
  std::uint32_t turn_ = 0;
  std::uint32_t most_ = 0;
  bool fits_ = true;
  bool is_even_ = true;
  bool is_elementwise_ = true;
  bool has_rests_ = false;
};

class Turns {
 public:
  explicit Turns(Trial& trial)
      : trial_(trial), subject_(trial.subject()), function_(subject_.program.function()) {
    for (const auto& [instruction, counted] : subject_.counted) {
      const std::uint32_t width = ptx::WidthOf(function_, function_.instructions[instruction]);
      const auto line = subject_.lines.find(instruction);
      streams_[instruction] = {ArrayAccessOf(subject_, instruction), width,
                               line == subject_.lines.end() ? 0 : line->second};
      first_.try_emplace(streams_[instruction], instruction);
      leaders_[instruction] = first_[streams_[instruction]];
    }
  }

  std::vector<Move> Try() {
    const bool is_large =
        function_.instructions.size() > kMostInstructions || streams_.size() > kMostAccesses;
    if (is_large) return {};
    NoteWriters();
    if (!UsesOthersElements()) {
      TryStriped();
      TryAlongLoop();
    }
    TryTiles();
    return std::move(moves_);
  }

 private:
  const ptx::ControlFlow& flow() const { return subject_.program.flow(); }

  // Whether a load may be of what another turn stored: of the same array, and not the same element.
  bool UsesOthersElements() const {
    for (const auto& [load, of_load] : streams_) {
      if (of_load.array.op != ptx::Op::kLd) continue;
      bool is_stored = false;
      bool is_same = false;
      for (const auto& [store, of_store] : streams_) {
        const bool meets =
            of_store.array.op != ptx::Op::kLd &&
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
        if (streams_.contains(i)) loads.insert(i);
        for (const std::uint32_t read : ptx::Reads(function_, function_.instructions[i])) {
          open.push_back(read);
        }
      }
    }
    return loads;
  }

  // Whether each element that is stored is made of one element of each array.
  bool IsElementwise() const {
    for (const auto& [store, stream] : streams_) {
      if (stream.array.op != ptx::Op::kSt) continue;
      std::map<Stream, std::size_t> loads;
      for (const std::uint32_t load : LoadsBehind(store)) {
        if (++loads[streams_.at(load)] > 1) return false;
      }
    }
    return true;
  }

  // The worst of all loops that accesses are in; kIndependent outside of loops.
  Rounds WorstRounds() const {
    Rounds worst = Rounds::kIndependent;
    std::set<std::uint32_t> loops;
    for (const auto& [instruction, stream] : streams_) {
      loops.insert(flow().blocks()[flow().BlockOf(instruction)].loop);
    }
    for (const std::uint32_t loop : loops) {
      if (loop != ptx::kNone) worst = std::max(worst, RoundsOf(function_, flow(), loop));
    }
    return worst;
  }

  bool IsInLoop() const {
    return std::ranges::any_of(streams_, [&](const auto& one) {
      return flow().blocks()[flow().BlockOf(one.first)].loop != ptx::kNone;
    });
  }

  bool HasSteadyTurns() const {
    return std::ranges::all_of(streams_, [&](const auto& one) {
      const address::EvaluatedAccess* access = subject_.evaluation.Find(one.first);
      return access != nullptr && (!access->turns || access->has_turn_step);
    });
  }

  bool IsNested() const {
    return std::ranges::any_of(streams_, [&](const auto& one) {
      const std::uint32_t loop = flow().blocks()[flow().BlockOf(one.first)].loop;
      return loop != ptx::kNone && flow().loops()[loop].parent != ptx::kNone;
    });
  }

  void TryStriped() {
    if (WorstRounds() != Rounds::kIndependent || !IsElementwise()) return;
    Dealer dealer(leaders_, false);
    const auto after = trial_.Run(subject_.launch, &dealer, &leaders_);
    const bool is_blocked = dealer.most() > 1 && dealer.most() <= kMostBlocked;
    if (!after || !dealer.fits() || !is_blocked || !dealer.is_elementwise() || after->is_cut) {
      return;
    }
    moves_.push_back(trial_.Compare(MoveKind::kStriped, *after, nullptr, &leaders_));
    moves_.back().turns = dealer.most();
  }

  // The rounds of each thread, a warp at a time. Empty when that was not done to an end, or there
  // are too few of them.
  std::optional<address::LaunchEvaluation> RunByThread() {
    if (by_thread_) return *by_thread_;
    by_thread_.emplace();
    Dealer dealer(leaders_, true);
    auto after = trial_.Run(subject_.launch, &dealer, &leaders_);
    if (!after || !dealer.fits() || dealer.most() < kFewestRounds) return std::nullopt;
    if (after->is_cut && dealer.has_rests()) {
      Dealer whole(leaders_, true, true);
      after = trial_.Run(subject_.launch, &whole, &leaders_);
      if (!after || whole.has_rests()) return std::nullopt;
    }
    *by_thread_ = std::move(after);
    return *by_thread_;
  }

  void TryAlongLoop() {
    if (!IsInLoop() || IsNested() || !HasSteadyTurns()) return;
    const Rounds rounds = WorstRounds();
    if (rounds == Rounds::kInOrder) return;
    const auto after = RunByThread();
    if (!after) return;
    moves_.push_back(trial_.Compare(MoveKind::kLanesAlongLoop, *after, nullptr, &leaders_));
    moves_.back().reduces = rounds == Rounds::kReduced;
  }

  // A warp fetches the next rounds of all its threads through a tile of its own, a thread's side by
  // side; each thread goes on to take its rounds in their order.
  void TryTiles() {
    if (!IsInLoop() || IsNested() || !HasSteadyTurns()) return;
    const auto after = RunByThread();
    if (!after) return;
    std::map<ArrayAccess, std::set<std::uint32_t>> arrays;
    for (const auto& [instruction, stream] : streams_) {
      const bool is_moved = stream.array.op == ptx::Op::kLd || stream.array.op == ptx::Op::kSt;
      const bool is_in_loop = flow().blocks()[flow().BlockOf(instruction)].loop != ptx::kNone;
      if (is_moved && is_in_loop) arrays[stream.array].insert(instruction);
    }
    for (const auto& [array, instructions] : arrays) AddTile(*after, array, instructions);
  }

  void AddTile(const address::LaunchEvaluation& after, const ArrayAccess& array,
               const std::set<std::uint32_t>& instructions) {
    const std::uint32_t width = streams_.at(*instructions.begin()).width;
    Move move = trial_.Compare(MoveKind::kSharedTile, after, &instructions, &leaders_);
    if (width == 0 || move.after >= move.before) return;
    const std::uint32_t pitch = PitchOf(kWarpSize, width);
    const std::uint64_t warps = (subject_.launch.block.count() + kWarpSize - 1) / kWarpSize;
    const Bytes bytes(warps * kWarpSize * pitch * width);
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
  std::map<std::uint32_t, Stream> streams_;  // by instruction
  std::map<Stream, std::uint32_t> first_;    // instruction of each
  Leaders leaders_;
  std::vector<std::vector<std::uint32_t>> writers_;  // instructions, by register
  // What RunByThread found, once it was asked.
  std::optional<std::optional<address::LaunchEvaluation>> by_thread_;
  std::vector<Move> moves_;
};

}  // namespace

std::vector<Move> TurnMoves(Trial& trial) { return Turns(trial).Try(); }

}  // namespace coalcheck::moves
