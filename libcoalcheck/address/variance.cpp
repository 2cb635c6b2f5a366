// SPDX-License-Identifier: Apache-2.0
//
// Whether a value is the same for all lanes that ask for it together. Lanes that leave a loop in
// different rounds take different values out of it; lanes that come different ways to a block may
// bring different ones.
#include <algorithm>

#include "libcoalcheck/address/analysis.h"

namespace coalcheck::address {
namespace {

using machine_code::Flow;
using machine_code::PlaceRange;
using machine_code::Word;

constexpr std::uint32_t kMostDepth = 250;
constexpr std::size_t kMostBlocksBetween = 200;

// What these write is decided by what they read, and by nothing else that differs between lanes.
bool IsFunctionOfReads(std::uint32_t opcode) {
  switch (opcode) {
    case 0x002:
    case 0x007:
    case 0x008:
    case 0x009:
    case 0x00b:
    case 0x00c:
    case 0x010:
    case 0x011:
    case 0x012:
    case 0x013:
    case 0x016:
    case 0x017:
    case 0x019:
    case 0x01a:
    case 0x01b:
    case 0x01c:
    case 0x020:
    case 0x021:
    case 0x023:
    case 0x024:
    case 0x025:
    case 0x027:
    case 0x028:
    case 0x029:
    case 0x02a:
    case 0x02b:
    case 0x031:
    case 0x035:
    case 0x036:
    case 0x03e:
    case 0x045:
    case 0x046:
    case 0x048:
    case 0x100:
    case 0x101:
    case 0x102:
    case 0x105:
    case 0x106:
    case 0x108:
    case 0x109:
    case 0x110:
    case 0x111:
    case 0x112:
    case 0x180:
    case 0x182:
    case 0x184:
      return true;
    default:
      return false;
  }
}

// Votes over the warp, and a shuffle from one fixed lane.
bool IsSameByNature(const Word& word) {
  if (word.opcode() == 0x006 || word.opcode() == 0x1c4) return true;  // VOTE REDUX
  const bool broadcast = word.opcode() == 0x189 && word.form() == 2 && word.Bits(58, 2) == 0 &&
                         word.Bits(32, 8) == 255 && word.Bits(40, 13) == 0x1f;
  return broadcast;
}

bool IsUniformPlace(std::uint32_t place) {
  return (place >= machine_code::kUniform && place < machine_code::kPredicate) ||
         (place >= machine_code::kUniformPredicate && place < machine_code::kSharedMemory);
}

}  // namespace

// The block in which the unknown gets its value; kNowhere for what has it from the beginning.
std::uint32_t Analysis::HomeOf(const Atom& atom) const {
  switch (atom.kind) {
    case AtomKind::kLoaded:
    case AtomKind::kLoadedPair:
    case AtomKind::kWritten:
    case AtomKind::kCarry:
    case AtomKind::kChosen:
    case AtomKind::kRest:
      return code_.BlockOf(atom.a);
    case AtomKind::kEntry:
    case AtomKind::kEntryPair:
    case AtomKind::kMerged:
    case AtomKind::kIteration:
      return atom.a;
    default:
      return kNowhere;
  }
}

Variance Analysis::VarianceOf(const Polynomial& value, std::uint32_t b) {
  Variance worst = Variance::kSame;
  for (const auto& [monomial, coefficient] : value.terms()) {
    for (std::size_t i = 0; i < monomial.degree(); ++i) {
      worst = std::max(worst, VarianceOf(monomial.atom(i), b));
      if (worst == Variance::kUnknown) return worst;
    }
  }
  return worst;
}

Variance Analysis::VarianceOf(AtomId id, std::uint32_t b) {
  if (depth_ >= kMostDepth || !Spend(1)) return Variance::kUnknown;
  const Atom atom = atoms_[id];
  if (atom.has_inner()) {
    ++depth_;
    const Variance inner = VarianceOfInner(atom, b);
    --depth_;
    return inner;
  }
  const Variance own = OwnVariance(id);
  const std::uint32_t home = HomeOf(atom);
  if (own > Variance::kInRows || home == kNowhere) return own;
  for (std::uint32_t loop = code_.InnermostLoop(home); loop != kNowhere && !code_.IsInLoop(b, loop);
       loop = code_.loops()[loop].parent) {
    if (!LeavesTogether(loop)) return Variance::kUnknown;
  }
  return own;
}

Variance Analysis::VarianceOfInner(const Atom& atom, std::uint32_t b) {
  const Variance inner = VarianceOf(atom.inner, b);
  const bool shifts = atom.kind == AtomKind::kShiftRight;
  if (inner == Variance::kKnown && shifts && IsHighHalf(atom.inner, b)) return Variance::kInRows;
  const bool keeps_bits = shifts || atom.kind == AtomKind::kAnd;
  if (inner != Variance::kInRows || !keeps_bits) return inner;
  // Bits of a quotient that was multiplied, as a hash takes them, are nothing that rows explain.
  return GrowsByOneAtMost(atom.inner, b) ? Variance::kInRows : Variance::kUnknown;
}

Variance Analysis::OwnVariance(AtomId id) {
  const auto [known, fresh] = variance_.try_emplace(id);
  if (!fresh) return known->second.value_or(Variance::kUnknown);
  ++depth_;
  const Guard guard = guard_;
  guard_ = Guard();
  const Variance found = FindVariance(id);
  guard_ = guard;
  --depth_;
  variance_[id] = found;
  return found;
}

Variance Analysis::FindVariance(AtomId id) {
  const Atom atom = atoms_[id];
  switch (atom.kind) {
    case AtomKind::kSpecial:
      return atom.a == kLaneId || (atom.a >= kThreadX && atom.a <= kThreadZ) ? Variance::kKnown
                                                                             : Variance::kSame;
    case AtomKind::kConstant:
    case AtomKind::kConstantPair:
    case AtomKind::kIteration:
      return Variance::kSame;
    case AtomKind::kLoaded:
    case AtomKind::kLoadedPair: {
      const std::optional<Polynomial> address = AddressOf(atom.a);
      const bool same = address && VarianceOf(*address, code_.BlockOf(atom.a)) == Variance::kSame;
      return same ? Variance::kSame : Variance::kUnknown;
    }
    case AtomKind::kWritten:
    case AtomKind::kCarry: {
      const std::uint32_t place =
          atom.kind == AtomKind::kWritten ? atom.b : std::uint32_t{machine_code::kPredicate};
      if (atom.kind == AtomKind::kWritten && IsUniformPlace(place)) return Variance::kSame;
      const Variance found = VarianceOfReads(atom.a, place);
      if (found == Variance::kSame || atom.kind == AtomKind::kCarry) return found;
      return IsQuotient(atom) ? Variance::kInRows : found;
    }
    case AtomKind::kMerged:
    case AtomKind::kChosen:
      if (atom.c == kMergedSame || atom.c >= kMergedFactor) return Variance::kSame;
      return atom.c == kMergedInRows ? Variance::kInRows : Variance::kUnknown;
    case AtomKind::kRest:
      return atom.c % (1U << kMergedBits) == kMergedSame ? Variance::kSame : Variance::kInRows;
    default:
      return Variance::kUnknown;
  }
}

Variance Analysis::VarianceOfReads(std::uint32_t n, std::uint32_t place) {
  const Word& word = code_.words()[n];
  if (!IsSameByNature(word) && !IsFunctionOfReads(word.opcode())) return Variance::kUnknown;
  const bool guarded = word.is_guarded();
  if (guarded && VarianceOfPlace(place, n) != Variance::kSame) return Variance::kUnknown;
  if (IsSameByNature(word) && !guarded) return Variance::kSame;
  for (const PlaceRange& range : machine_code::ReadOperands(word, code_.sm()).reads) {
    for (std::uint32_t read = range.first; read < std::uint32_t{range.first} + range.count;
         ++read) {
      // Shared memory at one address holds one value.
      if (read >= machine_code::kSharedMemory) continue;
      if (VarianceOfPlace(read, n) != Variance::kSame) return Variance::kUnknown;
    }
  }
  return Variance::kSame;
}

Variance Analysis::VarianceOfPlace(std::uint32_t place, std::uint32_t n) {
  if (IsUniformPlace(place)) return Variance::kSame;
  if (depth_ >= kMostDepth || !Spend(2)) return Variance::kUnknown;
  ++depth_;
  const Variance found = VarianceOf(Solved(WordBefore(place, n)), code_.BlockOf(n));
  --depth_;
  return found;
}

bool Analysis::LeavesTogether(std::uint32_t loop) {
  const auto [known, fresh] = leaves_together_.try_emplace(loop);
  if (!fresh) return known->second.value_or(false);
  bool together = true;
  for (const std::uint32_t b : code_.loops()[loop].blocks) {
    const auto& next = code_.blocks()[b].successors;
    const bool leaves = std::any_of(next.begin(), next.end(),
                                    [&](std::uint32_t to) { return !code_.IsInLoop(to, loop); });
    if (leaves && !BranchesTogether(b)) together = false;
    if (!together) break;
  }
  leaves_together_[loop] = together;
  return together;
}

// Whether all lanes that are at the end of block `b` together go on to the same block.
bool Analysis::BranchesTogether(std::uint32_t b) {
  const machine_code::Block& block = code_.blocks()[b];
  if (block.successors.size() < 2) return true;
  const std::uint32_t last = block.end - 1;
  const Flow flow = code_.instruction(last).flow;
  if (flow != Flow::kJump && flow != Flow::kJumpTable && flow != Flow::kExit) return false;
  const Guard guard = guard_;
  guard_ = Guard();
  bool together = true;
  const Word& word = code_.words()[last];
  const auto same = [&](const machine_code::PlaceRanges& ranges) {
    for (const PlaceRange& range : ranges) {
      for (std::uint32_t i = 0; i < range.count; ++i) {
        if (VarianceOfPlace(range.first + i, last) != Variance::kSame) return false;
      }
    }
    return true;
  };
  together = same(machine_code::ReadCondition(word));
  if (flow == Flow::kJumpTable) {
    together = together && same(machine_code::ReadOperands(word, code_.sm()).reads);
  }
  guard_ = guard;
  return together;
}

// Whether all lanes that come to block `b` from one of `from` together have come the same way.
bool Analysis::MeetsTogether(std::uint32_t b, std::span<const std::uint32_t> from) {
  const std::uint32_t last = code_.Dominator(b);
  if (last == kNowhere) return false;
  std::vector<std::uint32_t> open(from.begin(), from.end());
  std::vector<std::uint32_t> seen;
  while (!open.empty()) {
    const std::uint32_t block = open.back();
    open.pop_back();
    if (std::find(seen.begin(), seen.end(), block) != seen.end()) continue;
    if (seen.size() >= kMostBlocksBetween || !Spend(seen.size() + 1)) return false;
    seen.push_back(block);
    if (!BranchesTogether(block)) return false;
    if (block == last) continue;
    const auto& before = code_.blocks()[block].predecessors;
    open.insert(open.end(), before.begin(), before.end());
  }
  return true;
}

void Analysis::AddLoads(const Polynomial& value, std::vector<std::uint32_t>& loads) {
  std::set<AtomId> seen;
  AddLoads(value, loads, seen, 0);
  std::sort(loads.begin(), loads.end());
  loads.erase(std::unique(loads.begin(), loads.end()), loads.end());
}

void Analysis::AddLoads(const Polynomial& value, std::vector<std::uint32_t>& loads,
                        std::set<AtomId>& seen, std::uint32_t depth) {
  constexpr std::uint32_t kFar = 40;
  if (depth > kFar || !Spend(1)) return;
  for (const auto& [monomial, coefficient] : value.terms()) {
    for (std::size_t i = 0; i < monomial.degree(); ++i) {
      const AtomId id = monomial.atom(i);
      if (!seen.insert(id).second) continue;
      const Atom atom = atoms_[id];
      if (atom.has_inner()) {
        AddLoads(atom.inner, loads, seen, depth + 1);
      } else if (atom.kind == AtomKind::kLoaded || atom.kind == AtomKind::kLoadedPair) {
        if (OwnVariance(id) != Variance::kSame) loads.push_back(atom.a);
      } else if (atom.kind == AtomKind::kWritten && IsFunctionOfReads(OpcodeOf(atom.a))) {
        for (const PlaceRange& range :
             machine_code::ReadOperands(code_.words()[atom.a], code_.sm()).reads) {
          for (std::uint32_t place = range.first; place < std::uint32_t{range.first} + range.count;
               ++place) {
            if (place >= machine_code::kPredicate) continue;
            AddLoads(Solved(WordBefore(place, atom.a)), loads, seen, depth + 1);
          }
        }
      }
    }
  }
}

}  // namespace coalcheck::address
