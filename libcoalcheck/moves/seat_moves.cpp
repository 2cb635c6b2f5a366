// SPDX-License-Identifier: Apache-2.0
//
// A change of places is a permutation of the launch's threads, which does the same work for
// certain. It is tried as the source would have it, too: where both ask for the same, the source
// already says everything by blockDim and the like.
#include "libcoalcheck/moves/seat_moves.h"

#include <algorithm>
#include <array>
#include <map>

#include "libcoalcheck/moves/arrays.h"
#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::moves {
namespace {

using address::Extent;
using address::LaunchEvaluation;
using address::LaunchValues;

// Of two that bring as much the first is taken.
constexpr std::array<std::uint32_t, 7> kWidths = {32, 16, 64, 8, 128, 4, 256};

constexpr std::uint32_t kMostBlocksInY = 65535;

// Threads of the whole grid along an axis.
std::uint64_t Threads(std::uint32_t grid, std::uint32_t block) {
  return std::uint64_t{grid} * block;
}

// A grid of `block`s over so many threads; empty when they do not divide.
std::optional<Extent> GridOver(std::uint64_t x, std::uint64_t y, Extent block, std::uint32_t z) {
  if (block.x == 0 || block.y == 0 || x % block.x != 0 || y % block.y != 0) return std::nullopt;
  return Extent{static_cast<std::uint32_t>(x / block.x), static_cast<std::uint32_t>(y / block.y),
                z};
}

// What the requests of each warp come to, whatever their order.
class Digest : public address::RequestFilter {
 public:
  void Begin(address::RequestSink& sink) override {
    RequestFilter::Begin(sink);
    value_ = 0;
  }
  void Take(const address::Request& request) override {
    address::EachLane(request.active, [&](std::uint32_t lane) {
      value_ += Mix(Mix(request.addresses.bits[lane]) + request.instruction);
    });
    next().Take(request);
  }
  void End() override { warps_.push_back(value_); }

  // Of each warp that was evaluated, in order.
  const std::vector<std::uint64_t>& warps() const { return warps_; }

 private:
  // SplitMix64's last steps.
  static std::uint64_t Mix(std::uint64_t bits) {
    bits = (bits ^ bits >> 30U) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ bits >> 27U) * 0x94d049bb133111eb;
    return bits ^ bits >> 31U;
  }

  std::vector<std::uint64_t> warps_;
  std::uint64_t value_ = 0;
};

// Blocks are evaluated in one order, and sooner or later it is enough.
bool BeginAlike(const Digest& a, const Digest& b) {
  const std::size_t both = std::min(a.warps().size(), b.warps().size());
  return std::equal(a.warps().begin(), a.warps().begin() + static_cast<std::ptrdiff_t>(both),
                    b.warps().begin());
}

class Seats {
 public:
  explicit Seats(Trial& trial) : trial_(trial), launch_(trial.subject().launch) {
    x_ = Threads(launch_.grid.x, launch_.block.x);
    y_ = Threads(launch_.grid.y, launch_.block.y);
  }

  std::vector<Move> Try() {
    if (launch_.block.z != 1) return {};
    TryExchange();
    TryShapes();
    TryTile();
    return std::move(moves_);
  }

 private:
  // The launch in blocks of that shape; empty when they do not divide it. `as_source`: as the
  // source would see it, else as a permutation of the threads that there are.
  std::optional<LaunchValues> With(Extent block, bool exchanged, bool as_source) const {
    const auto grid = exchanged ? GridOver(y_, x_, block, launch_.grid.z)
                                : GridOver(x_, y_, block, launch_.grid.z);
    if (!grid) return std::nullopt;
    LaunchValues values = launch_;
    values.grid = *grid;
    values.block = block;
    values.roles.exchanged = exchanged;
    if (!as_source) values.roles.of = {launch_.grid, launch_.block};
    return values;
  }

  std::optional<LaunchEvaluation> Run(Extent block, bool exchanged, bool as_source,
                                      Digest* digest = nullptr) {
    const auto values = With(block, exchanged, as_source);
    return values ? trial_.Run(*values, digest) : std::nullopt;
  }

  // As a permutation. `in_code`: the source as it is would not make it so, where the same warps of
  // the same blocks would ask for the same: sizes stand in the code, and have to change with it.
  std::optional<LaunchEvaluation> RunChecked(Extent block, bool exchanged, bool& in_code) {
    Digest of_roles;
    Digest of_source;
    auto roles = Run(block, exchanged, false, &of_roles);
    if (!roles) return std::nullopt;
    Run(block, exchanged, true, &of_source);
    if (of_source.warps().empty()) return std::nullopt;
    in_code = !BeginAlike(of_roles, of_source);
    return roles;
  }

  // Whether a launch may have that grid.
  bool IsLaunchable(Extent block, bool exchanged) const {
    const auto values = With(block, exchanged, true);
    return values && values->grid.y <= kMostBlocksInY;
  }

  void TryExchange() {
    if (!IsLaunchable(launch_.block, true)) return;
    bool in_code = false;
    const auto after = RunChecked(launch_.block, true, in_code);
    if (!after) return;
    moves_.push_back(trial_.Compare(MoveKind::kExchangeAxes, *after));
    moves_.back().in_code = in_code;
  }

  void TryShapes() {
    std::optional<Move> best;
    const auto threads = static_cast<std::uint32_t>(launch_.block.count());
    for (const std::uint32_t width : kWidths) {
      if (threads % width != 0 || width == launch_.block.x) continue;
      const Extent block{width, threads / width, 1};
      const auto after = IsLaunchable(block, false) ? Run(block, false, false) : std::nullopt;
      if (!after) continue;
      Move move = trial_.Compare(MoveKind::kBlockShape, *after);
      move.block = block;
      if (!best || move.after < best->after) best = std::move(move);
    }
    if (best && RunChecked(best->block, false, best->in_code)) moves_.push_back(*std::move(best));
  }

  // What lies along the other axis is taken through a tile: lanes of a request then run along it.
  void TryTile() {
    const auto threads = static_cast<std::uint32_t>(launch_.block.count());
    for (const std::uint32_t size : {32U, 16U}) {
      if (threads % size != 0 || x_ % size != 0 || y_ % size != 0 || threads / size > size)
        continue;
      const auto after = Run({size, threads / size, 1}, true, false);
      if (!after) continue;
      AddTiles(*after, size);
      return;
    }
  }

  void AddTiles(const LaunchEvaluation& after, std::uint32_t size) {
    const ptx::Function& function = trial_.subject().program.function();
    std::map<ArrayAccess, std::set<std::uint32_t>> arrays;
    for (const auto& [instruction, counted] : trial_.subject().counted) {
      const address::EvaluatedAccess* before = trial_.subject().evaluation.Find(instruction);
      const address::EvaluatedAccess* now = after.Find(instruction);
      if (before == nullptr || now == nullptr || before->turns) continue;
      const ptx::Op op = function.instructions[instruction].code.op;
      const bool moves_data = op == ptx::Op::kLd || op == ptx::Op::kSt;
      if (!moves_data || now->sums.sectors >= before->sums.sectors) continue;
      arrays[ArrayAccessOf(trial_.subject(), instruction)].insert(instruction);
    }
    for (const auto& [array, instructions] : arrays) {
      const std::uint32_t width =
          ptx::WidthOf(function, function.instructions[*instructions.begin()]);
      const std::uint32_t pitch = PitchOf(size, width);
      const Bytes bytes(std::uint64_t{size} * pitch * width * instructions.size());
      if (width == 0 || bytes > kMostShared) continue;
      Move move = trial_.Compare(MoveKind::kSharedTile, after, &instructions);
      move.tile = {size, size, pitch, bytes};
      if (array.parameter != ptx::kNone) move.parameter = array.parameter;
      move.width = Bytes(width);
      moves_.push_back(std::move(move));
    }
  }

  Trial& trial_;
  const LaunchValues& launch_;
  std::uint64_t x_ = 0;  // threads of the grid
  std::uint64_t y_ = 0;
  std::vector<Move> moves_;
};

}  // namespace

std::vector<Move> SeatMoves(Trial& trial) { return Seats(trial).Try(); }

}  // namespace coalcheck::moves
