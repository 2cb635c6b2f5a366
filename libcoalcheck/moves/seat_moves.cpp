// SPDX-License-Identifier: Apache-2.0
//
// A change of places is a permutation of the launch's threads, which does the same work for
// certain. It is tried as the source would have it, too: where both ask for the same, the source
// already says everything by blockDim and the like.
#include "libcoalcheck/moves/seat_moves.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "libcoalcheck/address/launch_numbers.h"
#include "libcoalcheck/moves/arrays.h"
#include "libcoalcheck/moves/strides.h"
#include "libcoalcheck/moves/try_moves.h"
#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::moves {
namespace {

using address::Axis;
using address::Extent;
using address::LaunchEvaluation;
using address::LaunchValues;

// Of two that bring as much the first is taken.
constexpr std::array<std::uint32_t, 7> kWidths = {32, 16, 64, 8, 128, 4, 256};

constexpr std::uint32_t kMostBlocksInY = 65535;  // and in z
constexpr std::uint32_t kTileSize = 32;          // elements

// Threads of the whole grid along each axis, x first.
using Places = std::array<std::uint64_t, 3>;

Places PlacesOf(const LaunchValues& launch) {
  return {std::uint64_t{launch.grid.x} * launch.block.x,
          std::uint64_t{launch.grid.y} * launch.block.y,
          std::uint64_t{launch.grid.z} * launch.block.z};
}

// A grid of `block`s over so many threads, or a few more; empty when no launch may have it, where
// there is to be one.
std::optional<Extent> GridOver(const Places& places, Extent block, bool is_launched) {
  const auto blocks = [](std::uint64_t threads, std::uint32_t size) {
    return (threads + size - 1) / std::max(size, 1U);
  };
  const Places grid = {blocks(places[0], block.x), blocks(places[1], block.y),
                       blocks(places[2], block.z)};
  constexpr std::uint64_t kMostBlocksInX = 0x7fffffff;
  const std::uint64_t most = is_launched ? kMostBlocksInY : kMostBlocksInX;
  if (grid[0] > kMostBlocksInX || grid[1] > most || grid[2] > most) {
    return std::nullopt;
  }
  return Extent{static_cast<std::uint32_t>(grid[0]), static_cast<std::uint32_t>(grid[1]),
                static_cast<std::uint32_t>(grid[2])};
}

// Which thread plays which: in blocks of which shape, along which axis, how far apart.
struct Seating {
  Extent block;
  Axis axis = Axis::kX;  // that x changes places with
  std::uint64_t stride = 1;
  std::uint64_t run = 1;    // neighbours that are `stride` apart
  bool is_launched = true;  // else lanes take these places in a tile alone
};

// What the requests of each warp come to, whatever their order.
class Digest : public address::RequestFilter {
 public:
  void Begin(address::RequestSink& sink, address::Unknowns& unknowns) override {
    RequestFilter::Begin(sink, unknowns);
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
  explicit Seats(Trial& trial)
      : trial_(trial), launch_(trial.subject().launch), places_(PlacesOf(launch_)) {}

  std::vector<Move> Try() {
    if (Repeat(Axis::kX) || Repeat(Axis::kY) || Repeat(Axis::kZ)) return {};
    for (const Axis axis : {Axis::kY, Axis::kZ}) TryExchange(axis);
    TryShapes();
    const std::set<std::uint64_t> strides = StridesOf(trial_.subject(), places_[0]);
    for (auto one = strides.begin(); one != strides.end(); ++one) {
      TryStride(*one, std::next(one) == strides.end() ? 0 : *std::next(one), true);
    }
    for (const Axis axis : {Axis::kY, Axis::kZ}) TryTile(axis);
    if (AreBlocksNeighbours(trial_.subject())) TryBlocksAlongX();
    return std::move(moves_);
  }

  // Where threads of a block work together: along which axis they do so may change.
  std::vector<Move> TryRegrouped() {
    if (Repeat(Axis::kY) || Repeat(Axis::kZ)) return {};
    for (const Axis axis : {Axis::kY, Axis::kZ}) TryExchange(axis);
    if (launch_.block.x > 1 && launch_.grid.x > 1) TryStride(launch_.block.x, 0, false);
    for (Move& move : moves_) move.regroups = true;
    return std::move(moves_);
  }

 private:
  // `as_source`: as the source would see it, else as a permutation of the threads that there are.
  std::optional<LaunchValues> With(const Seating& seating, bool as_source) const {
    Places places = places_;
    std::swap(places[0], places[static_cast<std::size_t>(seating.axis)]);
    const std::uint64_t filled = seating.stride * seating.run;
    places[0] = (places[0] + filled - 1) / filled * filled;
    const Extent& block = seating.block;
    if (block.x > places[0] || block.y > places[1] || block.z > places[2]) return std::nullopt;
    const auto grid = GridOver(places, seating.block, seating.is_launched);
    if (!grid) return std::nullopt;
    LaunchValues values = launch_;
    values.grid = *grid;
    values.block = seating.block;
    values.roles.exchanged = seating.axis;
    values.roles.stride = seating.stride;
    values.roles.run = seating.run;
    if (!as_source) values.roles.of = {launch_.grid, launch_.block};
    return values;
  }

  std::optional<LaunchEvaluation> Run(const Seating& seating, bool as_source = false,
                                      Digest* digest = nullptr) {
    const auto values = With(seating, as_source);
    if (!values) return std::nullopt;
    return trial_.Run(*values, {.filter = digest, .keeps_work = !as_source});
  }

  // Whether the source as it is would not make it so, where the same warps of the same blocks would
  // ask for the same: sizes stand in the code, and have to change with it. Empty where the source
  // cannot be launched so.
  std::optional<bool> IsInCode(const Seating& seating, const Digest& of_roles) {
    Digest of_source;
    Run(seating, true, &of_source);
    if (of_source.warps().empty()) return std::nullopt;
    return !BeginAlike(of_roles, of_source);
  }

  // A move by which all threads change places.
  void Add(Move move, const Seating& seating, const Digest& of_roles) {
    if (move.after < move.before) {
      const auto in_code = IsInCode(seating, of_roles);
      if (!in_code) return;
      move.in_code = *in_code;
    }
    moves_.push_back(std::move(move));
  }

  bool HasPlaces(Axis axis) const { return places_[static_cast<std::size_t>(axis)] > 1; }

  // Whether threads along the axis ask for the same, as no address depends on their places. Side by
  // side they would share sectors, and still do the same work again.
  bool Repeat(Axis axis) const {
    const auto depends = [axis](const address::Program::SpecialSlot& one) {
      const auto place = static_cast<int>(one.special) - static_cast<int>(axis);
      return place == static_cast<int>(ptx::Special::kTidX) ||
             place == static_cast<int>(ptx::Special::kCtaidX);
    };
    return HasPlaces(axis) && std::ranges::none_of(trial_.subject().program.specials(), depends);
  }

  // As it is; turned, too, where there are fewer places along the other axis than it is wide.
  Extent BlockFor(Axis axis) const {
    Extent block = launch_.block;
    if (block.x <= places_[static_cast<std::size_t>(axis)]) return block;
    std::swap(block.x, axis == Axis::kY ? block.y : block.z);
    return block;
  }

  void TryExchange(Axis axis) {
    if (!HasPlaces(axis)) return;
    const Seating seating{BlockFor(axis), axis};
    Digest digest;
    const auto after = Run(seating, false, &digest);
    if (!after) return;
    Move move = trial_.Compare(MoveKind::kExchangeAxes, *after);
    move.axis = axis;
    if (seating.block != launch_.block) move.block = seating.block;
    Add(std::move(move), seating, digest);
  }

  void TryShapes() {
    std::optional<Move> best;
    Digest of_best;
    const auto threads = static_cast<std::uint32_t>(launch_.block.count());
    for (const std::uint32_t width : kWidths) {
      const Extent block{width, threads / width, 1};
      if (threads % width != 0 || block == launch_.block) continue;
      Digest digest;
      const auto after = Run({block}, false, &digest);
      if (!after) continue;
      Move move = trial_.Compare(MoveKind::kBlockShape, *after);
      move.block = block;
      if (best && BringsAsMuch(*best, move)) continue;
      best = std::move(move);
      of_best = std::move(digest);
    }
    if (best) Add(*best, {best->block}, of_best);
  }

  // Other threads as neighbours, for all accesses or through a tile for some. `next`: the stride
  // after this one; 0: none.
  void TryStride(std::uint64_t stride, std::uint64_t next, bool has_tiles) {
    std::uint64_t run = std::min<std::uint64_t>((places_[0] + stride - 1) / stride, kTileSize);
    if (next % stride == 0 && next > stride) run = std::min(run, next / stride);
    const auto after = Run({launch_.block, Axis::kX, stride, run});
    if (!after) return;
    moves_.push_back(trial_.Compare(MoveKind::kRenumber, *after));
    moves_.back().stride = stride;
    const std::uint64_t rows = std::min<std::uint64_t>(run < kTileSize ? run : stride, kTileSize);
    if (has_tiles) AddTiles(*after, static_cast<std::uint32_t>(rows), stride);
  }

  // What lies along the other axis is taken through a tile: lanes of a request then run along it.
  void TryTile(Axis axis) {
    if (!HasPlaces(axis)) return;
    const auto threads = static_cast<std::uint32_t>(launch_.block.count());
    const std::uint64_t places = places_[static_cast<std::size_t>(axis)];
    auto size = static_cast<std::uint32_t>(std::min<std::uint64_t>(places, kTileSize));
    // Of a kernel that looks after no rest there must be none.
    for (const std::uint32_t divisor : {32U, 16U, 8U}) {
      if (size < divisor || places % divisor != 0) continue;
      size = divisor;
      break;
    }
    if (size < 2 || threads % size != 0) return;
    const Seating seating{{size, threads / size, 1}, axis, 1, 1, false};
    const auto after = Run(seating);
    if (!after) return;
    const std::size_t known = moves_.size();
    AddTiles(*after, size, 0);
    const std::uint32_t of_block = axis == Axis::kY ? launch_.block.y : launch_.block.z;
    for (std::size_t i = known; i < moves_.size(); ++i) {
      moves_[i].axis = axis;
      moves_[i].regroups = of_block == 1;
    }
  }

  // A tile for the places of several blocks.
  void TryBlocksAlongX() {
    if (launch_.block.x < 2 || launch_.grid.x < 2) return;
    const std::size_t known = moves_.size();
    TryStride(launch_.block.x, 0, true);
    for (std::size_t i = known; i < moves_.size(); ++i) moves_[i].regroups = true;
  }

  void AddTiles(const LaunchEvaluation& after, std::uint32_t rows, std::uint64_t stride) {
    const ptx::Function& function = trial_.subject().program.function();
    std::map<ArrayAccess, std::set<std::uint32_t>> arrays;
    for (const auto& [instruction, counted] : trial_.subject().counted) {
      const address::EvaluatedAccess* before = trial_.subject().evaluation.Find(instruction);
      const address::EvaluatedAccess* now = after.Find(instruction);
      if (before == nullptr || now == nullptr || now->IsOpen()) continue;
      const ptx::Op op = function.instructions[instruction].code.op;
      const bool moves_data = op == ptx::Op::kLd || op == ptx::Op::kSt;
      if (!moves_data || now->sums.sectors >= before->sums.sectors) continue;
      arrays[ArrayAccessOf(trial_.subject(), instruction)].insert(instruction);
    }
    for (const auto& [array, instructions] : arrays) {
      const std::uint32_t width =
          ptx::WidthOf(function, function.instructions[*instructions.begin()]);
      const std::uint32_t pitch = PitchOf(kTileSize, width);
      const Bytes bytes(std::uint64_t{rows} * pitch * width * instructions.size());
      if (width == 0 || bytes > kMostShared) continue;
      Move move = trial_.Compare(MoveKind::kSharedTile, after, &instructions);
      move.tile = {rows, kTileSize, pitch, bytes};
      move.stride = stride;
      if (array.pointer.parameter != ptx::kNone) move.parameters = {array.pointer.parameter};
      move.width = Bytes(width);
      moves_.push_back(std::move(move));
    }
  }

  Trial& trial_;
  const LaunchValues& launch_;
  const Places places_;
  std::vector<Move> moves_;
};

}  // namespace

std::vector<Move> SeatMoves(Trial& trial) { return Seats(trial).Try(); }

std::vector<Move> RegroupedMoves(Trial& trial) { return Seats(trial).TryRegrouped(); }

}  // namespace coalcheck::moves
