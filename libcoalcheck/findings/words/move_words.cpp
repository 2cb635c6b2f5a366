// SPDX-License-Identifier: Apache-2.0
//
// A move is said for an access that it helps; what it does to others is said with it.
#include "libcoalcheck/findings/words/move_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "libcoalcheck/findings/words/array_name.h"
#include "libcoalcheck/findings/words/words.h"

namespace coalcheck::words {
namespace {

using findings::Access;
using findings::AccessChange;
using findings::KernelMove;
using findings::KernelMoves;
using findings::Report;
using moves::MoveKind;

// Others that are named one by one.
constexpr std::size_t kMostNamed = 2;

std::string BlockWords(const address::Extent& block) {
  return fmt::format("{} x {} threads", block.x, block.y);
}

// What a block has to do besides, so that there is a tile.
std::string BlocksOfTile(const moves::Move& move) {
  if (!move.regroups) return {};
  if (move.stride > 0) {
    return fmt::format(" in blocks that do what {} blocks do now along x", move.tile.rows);
  }
  return fmt::format(" in blocks that take {} places along {}, too", move.tile.rows,
                     move.axis == address::Axis::kY ? 'y' : 'z');
}

std::string TileWords(const KernelMove& move) {
  const moves::Tile& tile = move.move.tile;
  if (tile.rows == 1) return fmt::format("a shared tile of {} {}", tile.columns, move.elements);
  const bool is_of_warp = move.move.turns > 0;
  return fmt::format("a shared tile of {} x {} {}{}{}", tile.rows, tile.pitch, move.elements,
                     is_of_warp ? " for each warp" : "", BlocksOfTile(move.move));
}

// What is done, as a command and as an activity.
struct Deed {
  std::string command;
  std::string activity;
};

Bytes WidestOf(const KernelMove& move) {
  Bytes widest;
  for (const AccessChange& change : move.accesses) widest = std::max(widest, change.vector);
  return widest;
}

// `access`: the change of the access that it is said for; null: for all of them.
Deed VectorDeed(const KernelMove& move, bool is_store, const AccessChange* access) {
  if (access == nullptr || access->vector == Bytes(0)) {
    return {fmt::format("take what a thread loads or stores side by side in one access, of up to "
                        "{} bytes",
                        WidestOf(move).count()),
            "vector accesses"};
  }
  return {fmt::format("{} what a thread takes side by side in one access of {} bytes",
                      is_store ? "store" : "load", access->vector.count()),
          "vector accesses"};
}

Deed RenumberDeed(const moves::Move& move) {
  if (move.regroups) {
    return {
        "let threadIdx.x run along what blockIdx.x does, and what threadIdx.x does along "
        "blockIdx.x or threadIdx.y",
        "threadIdx.x along what blockIdx.x does"};
  }
  return {fmt::format("number the threads so that neighbours are those that are {} apart now",
                      move.stride),
          fmt::format("threads that are {} apart as neighbours", move.stride)};
}

// Of a move that changes which thread does what.
Deed ThreadsDeed(const moves::Move& move) {
  const std::string in_code = move.in_code ? ", and change the sizes in the code so" : "";
  switch (move.kind) {
    case MoveKind::kExchangeAxes: {
      const char axis = move.axis == address::Axis::kY ? 'y' : 'z';
      const bool is_turned = move.block != address::Extent{};
      return {
          fmt::format("swap threadIdx.x and .{0}, and .x and .{0} of blockIdx, blockDim and the "
                      "grid{1}{2}",
                      axis, is_turned ? ", in blocks of " + BlockWords(move.block) : "", in_code),
          fmt::format("swapping threadIdx.x and .{}", axis)};
    }
    case MoveKind::kRenumber:
      return RenumberDeed(move);
    case MoveKind::kBlockShape:
      return {"launch blocks of " + BlockWords(move.block) + in_code,
              "blocks of " + BlockWords(move.block)};
    case MoveKind::kStriped:
      return {fmt::format("let thread t take elements t, t + blockDim.x, … instead of {} side by "
                          "side",
                          move.turns),
              "striped elements"};
    default:
      return {move.reduces ? "let a warp do each thread's loop, its lanes along the rounds, and "
                             "add up what they have in the end"
                           : "let a warp do each thread's loop, its lanes along the rounds",
              "lanes along the loop"};
  }
}

Deed FieldsDeed(const moves::Move& move, const std::string& array) {
  if (move.fields == 1) {
    return {fmt::format("keep what is used of every {} bytes of {} in an array of its own",
                        move.structure.count(), array),
            fmt::format("packing {}", array)};
  }
  return {fmt::format("keep each field of {} in an array of its own", array),
          fmt::format("an array for each field of {}", array)};
}

Deed DeedOf(const KernelMove& of_kernel, bool is_store, const AccessChange* access = nullptr) {
  const moves::Move& move = of_kernel.move;
  const std::string& array = of_kernel.array;
  switch (move.kind) {
    case MoveKind::kVector:
      return VectorDeed(of_kernel, is_store, access);
    case MoveKind::kExchangeAxes:
    case MoveKind::kRenumber:
    case MoveKind::kBlockShape:
    case MoveKind::kStriped:
    case MoveKind::kLanesAlongLoop:
      return ThreadsDeed(move);
    case MoveKind::kAlign:
      return {fmt::format("let {} begin {} bytes later", array, move.shift.count()),
              fmt::format("{} beginning {} bytes later", array, move.shift.count())};
    case MoveKind::kPadRows:
      return {fmt::format("pad the rows of {} from {} to {} bytes{}", array,
                          move.pitch_before.count(), move.pitch_after.count(),
                          move.shift == Bytes(0) ? ""
                                                 : fmt::format(", and let it begin {} bytes later",
                                                               move.shift.count())),
              fmt::format("padding the rows of {}", array)};
    case MoveKind::kFieldArrays:
      return FieldsDeed(move, array);
    case MoveKind::kInterleave:
      return {fmt::format("interleave the rows of {0} of {1} bytes, so that element k of all rows "
                          "lies side by side",
                          array, move.structure.count()),
              fmt::format("interleaving the rows of {}", array)};
    case MoveKind::kSharedTile:
      break;
  }
  const std::string tile = TileWords(of_kernel);
  return {(is_store ? "write through " : "read through ") + tile, "going through " + tile};
}

const findings::Place* PlaceOf(const Report& report, std::size_t access) {
  const auto found = std::ranges::find_if(report.places, [access](const findings::Place& place) {
    return std::ranges::find(place.accesses, access) != place.accesses.end();
  });
  return found == report.places.end() ? nullptr : &*found;
}

// "the load of `in`", "the load in line 12", seen from another access.
std::string NameOf(const Report& report, std::size_t access, const Access& from) {
  const Access& one = report.accesses[access];
  std::string name = fmt::format("the {}", cubin::ToString(one.kind));
  std::string array = ArrayOf(one);
  if (array.empty()) {
    const findings::Place* place = PlaceOf(report, access);
    if (place != nullptr) array = findings::ArrayName(place->identity.text, one.kind);
  }
  const bool is_elsewhere = one.shown && from.shown && one.shown != from.shown;
  if (!array.empty()) name += fmt::format(" of `{}`", Printable(array));
  if (is_elsewhere) name += fmt::format(" in line {}", one.shown->line);
  return name;
}

// "32 -> 4"; "64 -> 16 for 4 at once".
std::string Arrow(const AccessChange& change) {
  const double merged = change.Merged();
  return fmt::format("{} -> {}{}{}", Average(change.Before() * merged),
                     change.at_most ? "at most " : "", Average(change.After()),
                     merged > 1 ? fmt::format(" for {} at once", Average(merged)) : "");
}

struct Others {
  std::vector<const AccessChange*> worse;
  std::vector<const AccessChange*> better;
  std::vector<const AccessChange*> same;
};

Others OthersOf(const KernelMove& move, std::size_t access) {
  Others others;
  for (const AccessChange& change : move.accesses) {
    if (change.access == access) continue;
    (change.IsHigher()  ? others.worse
     : change.IsLower() ? others.better
                        : others.same)
        .push_back(&change);
  }
  return others;
}

// ", the load of `in` 4 -> 32, 3 others worse, 2 others fewer, too"
std::string OthersWords(const Report& report, const KernelMove& move, std::size_t access) {
  const Others others = OthersOf(move, access);
  const Access& from = report.accesses[access];
  std::string text;
  for (std::size_t i = 0; i < std::min(others.worse.size(), kMostNamed); ++i) {
    const AccessChange& change = *others.worse[i];
    text += fmt::format(", {} {}", NameOf(report, change.access, from), Arrow(change));
  }
  if (others.worse.size() > kMostNamed) {
    text += fmt::format(", {} others worse", others.worse.size() - kMostNamed);
  }
  if (others.better.size() == 1) {
    const AccessChange& change = *others.better.front();
    text += fmt::format(", {} {}", NameOf(report, change.access, from), Arrow(change));
  } else if (!others.better.empty()) {
    text += fmt::format(", {} others fewer, too", others.better.size());
  }
  if (text.empty() && others.same.size() == 1) {
    const AccessChange& change = *others.same.front();
    return fmt::format(", {} stays at {}", NameOf(report, change.access, from),
                       Average(change.Before()));
  }
  if (text.empty() && others.same.size() > 1) {
    return fmt::format(", the {} others stay", others.same.size());
  }
  return text;
}

// "; k2, which accesses it, too, has to follow"
std::string FollowersOf(const KernelMove& move) {
  if (move.other_kernels.empty()) return {};
  const char* const what = move.move.parameters.size() > 1 ? "them" : "it";
  const std::size_t count = move.other_kernels.size();
  const std::string name = ShortName(move.other_kernels.front());
  if (count > 1)
    return fmt::format("; {} other kernels, which access {}, have to follow", count, what);
  return fmt::format("; {}, which accesses {}, too, has to follow", name.substr(0, name.rfind('(')),
                     what);
}

// "; measure it: …" of a move that may slow the kernel.
std::string MeasureWords(const moves::Move& move) {
  if (move.slow_warps <= 0) return {};
  constexpr double kFew = 1.5;
  const std::string warps =
      move.slow_warps < kFew ? "a warp at most" : fmt::format("{:.0f} warps", move.slow_warps);
  return fmt::format(
      "; measure it, it may be slower: now L1 serves most rounds, then each waits for memory, with "
      "{} on a multiprocessor",
      warps);
}

std::string FixWords(const Report& report, const KernelMove& move, std::size_t access) {
  const bool is_store = report.accesses[access].kind == cubin::AccessKind::kStore;
  const AccessChange& mine = *move.Find(access);
  return fmt::format(
      "{}: this {} {}{}", DeedOf(move, is_store, &mine).command,
      cubin::ToString(report.accesses[access].kind), Arrow(mine),
      OthersWords(report, move, access) + FollowersOf(move) + MeasureWords(move.move));
}

// The move that would help this access and harms others as much; empty where none does.
std::string RejectedWords(const Report& report, const KernelMoves& kernel, std::size_t access) {
  for (const KernelMove& move : kernel.moves) {
    const AccessChange* mine = move.helps ? nullptr : move.Find(access);
    if (mine == nullptr || !mine->IsLower()) continue;
    const Others others = OthersOf(move, access);
    if (others.worse.empty()) continue;
    const AccessChange* worst = *std::ranges::max_element(
        others.worse, {}, [](const auto* one) { return one->after.sectors - one->before.sectors; });
    const bool is_store = report.accesses[access].kind == cubin::AccessKind::kStore;
    return fmt::format("{}: {} would go {}", DeedOf(move, is_store).activity,
                       NameOf(report, worst->access, report.accesses[access]), Arrow(*worst));
  }
  return {};
}

const KernelMoves* KernelOf(const Report& report, std::size_t access) {
  const Access& one = report.accesses[access];
  const KernelMoves* any = nullptr;
  auto kernel = std::ranges::lower_bound(report.moves, one.kernel, {}, &KernelMoves::kernel);
  for (; kernel != report.moves.end() && kernel->kernel == one.kernel; ++kernel) {
    const bool is_of_it = std::ranges::any_of(
        kernel->moves, [&](const KernelMove& move) { return move.Find(access) != nullptr; });
    if (is_of_it) return &*kernel;
    if (any == nullptr) any = &*kernel;
  }
  return any;
}

}  // namespace

MoveWords MovesFor(const Report& report, std::size_t access) {
  MoveWords words;
  const KernelMoves* kernel = KernelOf(report, access);
  if (kernel == nullptr) return words;
  words.not_tried = kernel->why_not;
  if (kernel->moves.empty() && kernel->why_not.empty()) {
    words.not_tried = "no change that can be tried fits it";
  }
  for (const KernelMove& move : kernel->moves) {
    const AccessChange* mine = move.Find(access);
    if (!move.helps || mine == nullptr || !mine->IsLower()) continue;
    words.fix = FixWords(report, move, access);
    words.needs = NeedsOf(move);
    words.helps = true;
    break;
  }
  words.rejected = RejectedWords(report, *kernel, access);
  words.tried = words.helps ? 0 : kernel->moves.size();
  words.helps_others = !words.helps && std::ranges::any_of(kernel->moves, &KernelMove::helps);
  return words;
}

std::string MoveInWords(const KernelMove& move) { return DeedOf(move, true).command; }

std::string NeedsOf(const KernelMove& move) {
  if (move.move.kind == MoveKind::kVector) {
    return fmt::format("that {} always begins at a multiple of {} bytes, as it did here",
                       move.array, WidestOf(move).count());
  }
  if (move.move.kind == MoveKind::kSharedTile) {
    return fmt::format(
        "{} bytes of shared memory in each block, and a barrier between filling the "
        "tile and emptying it",
        move.move.tile.bytes.count());
  }
  if (move.move.regroups && move.move.kind == MoveKind::kStriped) {
    return "that it does not matter which thread of a block adds up which elements";
  }
  if (move.move.regroups) {
    return "what threads of a block share or exchange, along the other axis";
  }
  if (move.move.kind == MoveKind::kLanesAlongLoop && move.move.reduces) {
    return "a reduction over the lanes of a warp";
  }
  return {};
}

std::string ArrayOf(const Access& access) {
  const auto worst = std::ranges::max_element(
      access.instructions, {}, [](const findings::Instruction& one) { return one.counts.sectors; });
  return worst == access.instructions.end() ? "" : worst->address_text.array;
}

std::size_t WorstOf(const Report& report, const findings::Place& place) {
  std::size_t worst = place.accesses.front();
  for (std::size_t i = 1; i < place.counted; ++i) {
    const Access& access = report.accesses[place.accesses[i]];
    if (access.counts.WastedShare() > report.accesses[worst].counts.WastedShare()) {
      worst = place.accesses[i];
    }
  }
  return worst;
}

}  // namespace coalcheck::words
