// SPDX-License-Identifier: Apache-2.0
//
// What the threads of a block load of one array lies between two addresses. Where their windows
// overlap, the block may bring all that lies between into shared memory, each element once.
#include "libcoalcheck/moves/window_moves.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "libcoalcheck/moves/arrays.h"
#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::moves {
namespace {

using address::Request;

constexpr std::size_t kMostOfBlock = std::size_t{1} << 18U;  // elements that its threads load
// Loads of an element, in the mean, from which windows overlap.
constexpr double kOverlap = 1.25;
// Sectors of a request, against those of the loads that there are: who spares less may well have
// them from L1 already, as stencils do.
constexpr double kMostOfRequest = 0.5;
// Of what lies between two addresses: who uses less fetches more than is spared.
constexpr double kLeastUsed = 0.5;

// Keeps what a block loads of an array, and asks for all of it in the place of its last warp.
class Window : public address::RequestFilter {
 public:
  Window(const std::set<std::uint32_t>& accesses, std::uint32_t width, std::uint64_t threads,
         Dealt& dealt)
      : accesses_(accesses),
        width_(width),
        threads_(threads),
        warps_((threads + kWarpSize - 1) / kWarpSize),
        dealt_(dealt) {}

  void Enter(std::uint64_t block, std::uint32_t warp) override {
    if (block != block_) loaded_.clear();
    block_ = block;
    warp_ = warp;
  }
  void Begin(address::RequestSink& sink, address::Unknowns& unknowns) override {
    RequestFilter::Begin(sink, unknowns);
    loaded_[warp_].clear();
  }
  void Take(const Request& request) override {
    fits_ = fits_ && accesses_.contains(request.instruction) && request.addresses.is_known &&
            request.taking == address::Taking::kCertain;
    if (!fits_) return;
    std::vector<std::uint64_t>& mine = loaded_[warp_];
    address::EachLane(request.active,
                      [&](std::uint32_t lane) { mine.push_back(request.addresses.bits[lane]); });
    fits_ = mine.size() < kMostOfBlock;
  }
  void End() override {
    if (warp_ + 1 == warps_) Fill();
  }

  bool fits() const { return fits_ && filled_ > 0; }
  double loads_of_element() const { return loads_ / used_; }
  double used() const { return used_ / filled_; }  // of what is fetched
  std::uint64_t most() const { return most_; }     // elements of a block

 private:
  void Fill() {
    std::vector<std::uint64_t> all;
    for (const auto& [warp, its] : loaded_) all.insert(all.end(), its.begin(), its.end());
    fits_ = fits_ && loaded_.size() == warps_ && all.size() < kMostOfBlock;
    if (!fits_ || all.empty()) return;
    const auto loads = static_cast<double>(all.size());
    std::ranges::sort(all);
    const auto behind = std::ranges::unique(all).begin();
    all.erase(behind, all.end());
    const std::uint64_t count = (all.back() - all.front()) / width_ + 1;
    fits_ = std::ranges::all_of(
        all, [&](std::uint64_t one) { return (one - all.front()) % width_ == 0; });
    fits_ = fits_ && count <= kMostShared.count() / width_;
    if (!fits_) return;
    loads_ += loads;
    used_ += static_cast<double>(all.size());
    filled_ += static_cast<double>(count);
    most_ = std::max(most_, count);
    dealt_.times[*accesses_.begin()] = filled_ / loads_;
    std::uint32_t turn = 0;
    for (std::uint64_t round = 0; round < count; round += threads_) {
      const std::uint64_t end = std::min(count, round + threads_);
      for (std::uint64_t first = round; first < end; first += kWarpSize) {
        Send(all.front() + first * width_, std::min<std::uint64_t>(end - first, kWarpSize), turn++);
      }
    }
  }

  void Send(std::uint64_t begin, std::uint64_t lanes, std::uint32_t turn) {
    Request request;
    request.instruction = *accesses_.begin();
    request.turn = turn;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      request.active |= address::LaneMask{1} << lane;
      request.addresses.Set(lane, {begin + std::uint64_t{lane} * width_, address::kNoForm});
    }
    next().Take(request);
  }

  const std::set<std::uint32_t>& accesses_;
  const std::uint32_t width_;
  const std::uint64_t threads_;  // of a block
  const std::uint64_t warps_;
  Dealt& dealt_;
  std::uint64_t block_ = ~std::uint64_t{0};
  std::uint32_t warp_ = 0;
  std::map<std::uint32_t, std::vector<std::uint64_t>> loaded_;  // addresses, by warp
  double loads_ = 0;
  double used_ = 0;
  double filled_ = 0;
  std::uint64_t most_ = 0;
  bool fits_ = true;
};

class Windows {
 public:
  explicit Windows(Trial& trial) : trial_(trial), subject_(trial.subject()) {}

  std::vector<Move> Try() {
    if (subject_.evaluation.is_cut() || subject_.evaluation.has_open_rounds) return {};
    for (const auto& [array, accesses] : LoadedArrays()) {
      if (IsWasteful(accesses)) TryWindow(array, accesses);
    }
    return std::move(moves_);
  }

 private:
  std::uint32_t WidthOf(std::uint32_t instruction) const {
    const ptx::Function& function = subject_.program.function();
    return ptx::WidthOf(function, function.instructions[instruction]);
  }

  // That nobody stores to, by what their addresses begin with.
  std::map<ArrayPointer, std::set<std::uint32_t>> LoadedArrays() const {
    std::map<ArrayPointer, std::set<std::uint32_t>> arrays;
    std::set<std::uint64_t> stored;
    for (const auto& [instruction, counted] : subject_.counted) {
      const ArrayAccess of = ArrayAccessOf(subject_, instruction);
      const auto place =
          of.pointer.parameter == ptx::kNone ? std::nullopt : PlaceOf(subject_, of.pointer);
      if (of.op != ptx::Op::kLd) {
        if (!place) return {};  // it may be any
        stored.insert(*place);
      } else if (place) {
        arrays[of.pointer].insert(instruction);
      }
    }
    std::erase_if(arrays,
                  [&](const auto& one) { return stored.contains(*PlaceOf(subject_, one.first)); });
    return arrays;
  }

  bool IsWasteful(const std::set<std::uint32_t>& accesses) const {
    double wasted = 0;
    for (const std::uint32_t one : accesses) {
      const address::EvaluatedAccess* access = subject_.evaluation.Find(one);
      if (access == nullptr || access->IsOpen() || WidthOf(one) != WidthOf(*accesses.begin())) {
        return false;
      }
      wasted += access->sums.sectors - access->sums.ideal;
    }
    return wasted > 0 && WidthOf(*accesses.begin()) > 0;
  }

  void TryWindow(const ArrayPointer& array, const std::set<std::uint32_t>& accesses) {
    Dealt dealt;
    for (const auto& [instruction, counted] : subject_.counted) {
      dealt.leaders[instruction] = accesses.contains(instruction) ? *accesses.begin() : instruction;
    }
    const std::uint32_t width = WidthOf(*accesses.begin());
    Window window(accesses, width, subject_.launch.block.count(), dealt);
    const Narrowed only(subject_, accesses);
    const auto after =
        trial_.Run(subject_.launch, {.filter = &window, .dealt = &dealt, .only = &only});
    if (!after || after->is_cut() || after->are_warps_left_out || !window.fits()) return;
    if (window.loads_of_element() < kOverlap || window.used() < kLeastUsed) return;
    Add(array, accesses, *after, dealt, window.most());
  }

  void Add(const ArrayPointer& array, const std::set<std::uint32_t>& accesses,
           const address::LaunchEvaluation& after, Dealt& dealt, std::uint64_t elements) {
    double lanes = 0;
    address::Sums before;
    for (const std::uint32_t one : accesses) {
      lanes += subject_.evaluation.Find(one)->sums.lanes;
      before.Add(subject_.counted.at(one));
    }
    const address::Sums& now = after.Find(*accesses.begin())->sums;
    const double of_request = before.sectors / before.requests;
    if (now.sectors > kMostOfRequest * of_request * now.requests) return;
    dealt.times[*accesses.begin()] = now.lanes / lanes;
    Move move = trial_.Compare(MoveKind::kSharedTile, after, &accesses, &dealt);
    const auto count = static_cast<std::uint32_t>(elements);
    const std::uint32_t width = WidthOf(*accesses.begin());
    move.tile = {1, count, count, Bytes(elements * width)};
    move.width = Bytes(width);
    move.parameters = {array.parameter};
    moves_.push_back(std::move(move));
  }

  Trial& trial_;
  const Subject& subject_;
  std::vector<Move> moves_;
};

}  // namespace

std::vector<Move> WindowMoves(Trial& trial) { return Windows(trial).Try(); }

}  // namespace coalcheck::moves
