// SPDX-License-Identifier: Apache-2.0
//
// A layout says where the bytes of an array lie; accesses then ask for what they asked for at other
// addresses, and are counted again.
#include "libcoalcheck/moves/layout_moves.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "libcoalcheck/address/launch_numbers.h"
#include "libcoalcheck/moves/arrays.h"
#include "libcoalcheck/moves/copies.h"
#include "libcoalcheck/moves/fields.h"
#include "libcoalcheck/moves/relocation.h"
#include "libcoalcheck/moves/waits.h"
#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::moves {
namespace {

constexpr std::uint64_t kLargestStructure = std::uint64_t{1} << 24U;  // bytes
constexpr std::size_t kMostShifts = 3;                                // tried for each array
constexpr std::size_t kMostPitches = 2;
constexpr std::uint64_t kSector = kSectorSize.count();
// Structures whose fields are all used and that are no larger are left as they are: three requests
// for a byte each take longer than three for the same sectors.
constexpr std::uint64_t kTooSmall = 4;
// A kernel that is expected to take so much longer may well do so.
constexpr double kLonger = 1.15;

class Layouts {
 public:
  explicit Layouts(Trial& trial)
      : trial_(trial),
        subject_(trial.subject()),
        copies_(CopiesOf(subject_)),
        warps_(WarpsAtATime(subject_)) {}

  std::vector<Move> Try() {
    std::vector<Array> wasteful = Arrays();
    std::erase_if(wasteful, [this](const Array& array) { return WastedBy(array) <= 0; });
    std::set<std::uint32_t> accesses;
    for (const Array& array : wasteful) {
      accesses.merge(AccessesOf(array));
    }
    if (accesses.empty()) return {};
    only_.emplace(subject_, std::move(accesses));
    TryFields(wasteful);
    for (const Array& array : wasteful) {
      // Where some of its accesses would go is not known.
      if (array.by_data.empty()) TryShifts(array);
      if (!array.accesses.empty()) TryPitches(array);
    }
    return std::move(moves_);
  }

 private:
  // None where an access may be of any array. Pointers to one place are one array.
  std::vector<Array> Arrays() const {
    std::map<std::uint64_t, Array> arrays;
    std::set<std::uint64_t> unsure;
    for (const auto& [instruction, counted] : subject_.counted) {
      if (IsOfVariable(subject_, instruction)) continue;
      const auto pointer = ArrayOf(subject_, instruction);
      const auto begin = pointer ? PlaceOf(subject_, *pointer) : std::nullopt;
      if (!begin) return {};
      Array& array = arrays[*begin];
      array.begin = *begin;
      if (std::ranges::find(array.parameters, pointer->parameter) == array.parameters.end()) {
        array.parameters.push_back(pointer->parameter);
      }
      const address::EvaluatedAccess* access = subject_.evaluation.Find(instruction);
      const bool is_by_data = access == nullptr || access->by_data > 0;
      (is_by_data ? array.by_data : array.accesses).insert(instruction);
      if (is_by_data && StepOf(instruction)) array.together.insert(instruction);
      const bool is_sure =
          subject_.confirmed.contains(instruction) || subject_.by_data.contains(instruction);
      if (!is_by_data && !is_sure) unsure.insert(*begin);
    }
    std::vector<Array> sure;
    for (auto& [begin, array] : arrays) {
      if (!unsure.contains(begin)) sure.push_back(std::move(array));
    }
    return sure;
  }

  const address::EvaluatedAccess& Of(std::uint32_t instruction) const {
    return *subject_.evaluation.Find(instruction);
  }

  static std::set<std::uint32_t> AccessesOf(const Array& array) {
    std::set<std::uint32_t> all = array.accesses;
    all.insert(array.together.begin(), array.together.end());
    return all;
  }

  // Bytes from lane to lane, where there is more between them than they ask for.
  std::optional<std::uint64_t> StepOf(std::uint32_t instruction) const {
    const address::EvaluatedAccess* access = subject_.evaluation.Find(instruction);
    const auto step = access == nullptr ? std::nullopt : access->LaneStep();
    return step && *step > WidthOf(instruction).count() ? step : std::nullopt;
  }

  double WastedBy(const Array& array) const {
    double wasted = 0;
    for (const std::uint32_t one : array.accesses) {
      wasted += std::max(Of(one).sums.sectors - Of(one).sums.ideal, 0.0);
    }
    for (const std::uint32_t one : array.together) {
      const address::Sums& counted = subject_.counted.at(one);
      wasted += std::max(counted.sectors - counted.ideal, 0.0);
    }
    return wasted;
  }

  // Of the arrays whose accesses are to change.
  std::optional<Move> Run(MoveKind kind, const std::vector<const Array*>& arrays,
                          Relocation& relocation) {
    const bool parts = kind == MoveKind::kFieldArrays || kind == MoveKind::kInterleave;
    address::RequestFilter* filter = &relocation;
    std::optional<WaitCounter> waits;
    if (parts) filter = &waits.emplace(subject_, copies_, warps_, &relocation, true);
    const auto after =
        trial_.Run(subject_.launch, {.filter = filter, .only = &*only_, .keeps_work = true});
    if (!after || !relocation.fits()) return std::nullopt;
    std::vector<const Array*> better;
    std::set<std::uint32_t> changes;
    for (const Array* array : arrays) {
      const std::set<std::uint32_t> its = AccessesOf(*array);
      const Move alone = trial_.Compare(kind, *after, &its);
      // A move of one array alone is said even where it does not help.
      if (arrays.size() > 1 && alone.after >= alone.before) continue;
      better.push_back(array);
      changes.insert(its.begin(), its.end());
    }
    if (better.empty()) return std::nullopt;
    Move move = trial_.Compare(kind, *after, &changes);
    for (const Array* array : better) {
      for (const std::uint32_t one : array->parameters) move.AddParameter(one);
    }
    move.width = WidthOf(*changes.begin());
    if (waits && move.after < move.before && MaySlow(waits->waits())) move.slow_warps = warps_;
    return move;
  }

  // Where it is not known how many warps there are, nothing is said.
  bool MaySlow(const Waits& after) {
    if (warps_ <= 0) return false;
    if (!before_) {
      WaitCounter waits(subject_, copies_, warps_, nullptr, false);
      if (!trial_.Run(subject_.launch, {.filter = &waits, .only = &*only_, .keeps_work = true}))
        return false;
      before_ = waits.waits();
    }
    return after.Of(warps_) > kLonger * before_->Of(warps_);
  }

  Bytes WidthOf(std::uint32_t instruction) const {
    const ptx::Function& function = subject_.program.function();
    return Bytes(ptx::WidthOf(function, function.instructions[instruction]));
  }

  // Bytes from a structure to the next: the longest step of lanes, else the one that stands in the
  // code in front of what lanes of one structure have in common.
  std::optional<std::uint64_t> StructureOf(const Array& array) const {
    std::uint64_t structure = 0;
    for (const std::uint32_t one : AccessesOf(array)) {
      structure = std::max(structure, StepOf(one).value_or(0));
    }
    for (const std::uint32_t one : array.accesses) {
      if (structure != 0) break;
      for (const auto& [monomial, coefficient] : subject_.formulas.Of(one)->terms()) {
        if (monomial.degree() != 1 || coefficient <= WidthOf(one).count()) continue;
        const address::FormulaAtom& atom = subject_.formulas.atoms()[monomial.atom(0)];
        if (atom.kind == address::FormulaKind::kQuotient) structure = coefficient;
      }
    }
    if (structure == 0 || structure > kLargestStructure) return std::nullopt;
    return structure;
  }

  // Of an access whose structure data choose: the same field of any, or an element of a row. False
  // where it may be something else.
  bool NoteByData(std::uint32_t instruction, Fields& fields) const {
    const address::Formula* formula = subject_.formulas.Of(instruction);
    const auto width = static_cast<std::uint32_t>(WidthOf(instruction).count());
    // Lanes that are a row apart go through their rows together.
    const bool has_row = fields.has_row() || StepOf(instruction) == fields.structure();
    bool is_element = false;
    std::uint64_t offset = 0;
    for (const auto& [monomial, coefficient] : formula->terms()) {
      const bool is_pointer = coefficient == 1 && monomial.degree() == 1;
      const std::uint64_t factor = FactorOf(monomial, coefficient);
      if (monomial.degree() == 0) {
        offset = coefficient;
      } else if (!is_pointer && factor % fields.structure() != 0) {
        is_element = true;
        if (!has_row || width == 0 || factor % width != 0) return false;
      }
    }
    if (is_element) {
      fields.NoteRow(width);
    } else {
      fields.Note(offset % fields.structure(), width);
    }
    return true;
  }

  // What the coefficient is, times the arguments among the factors.
  std::uint64_t FactorOf(const address::Monomial& monomial, std::uint64_t coefficient) const {
    std::uint64_t factor = coefficient;
    for (std::size_t i = 0; i < monomial.degree(); ++i) {
      const auto value =
          address::ArgumentNumber(subject_.program.function(),
                                  subject_.formulas.atoms()[monomial.atom(i)], subject_.launch);
      factor *= static_cast<std::uint64_t>(value.value_or(1));
    }
    return factor;
  }

  // Data decide how many elements of a row are asked for.
  void NoteOpenRows(const Array& array, Fields& fields) const {
    for (const std::uint32_t one : array.accesses) {
      const address::EvaluatedAccess& access = Of(one);
      const auto step = static_cast<std::uint64_t>(std::abs(access.turn_step));
      const bool is_in_row = access.has_turn_step && step != 0 && step < fields.structure();
      if (access.IsOpen() && is_in_row) {
        fields.NoteRow(static_cast<std::uint32_t>(WidthOf(one).count()));
      }
    }
  }

  // All arrays of structures together: who takes one apart takes them all.
  void TryFields(const std::vector<Array>& arrays) {
    std::map<const Array*, Fields> fields;
    Probe probe(subject_.program.function());
    for (const Array& array : arrays) {
      const auto structure = StructureOf(array);
      if (!structure) continue;
      Fields& of_array = fields.try_emplace(&array, array.begin, *structure).first->second;
      NoteOpenRows(array, of_array);
      const bool fits = std::ranges::all_of(
          array.by_data, [&](std::uint32_t one) { return NoteByData(one, of_array); });
      if (fits) {
        probe.Show(array, of_array);
      } else {
        fields.erase(&array);
      }
    }
    if (fields.empty()) return;
    const auto seen =
        trial_.Run(subject_.launch, {.filter = &probe, .only = &*only_, .keeps_work = true});
    if (!seen) return;
    const Leaders leaders = LeadersOf(copies_);
    for (auto one = fields.begin(); one != fields.end();) {
      const bool fits =
          one->second.Settle(leaders, seen->is_cut()) && !one->second.IsFullyUsed(kTooSmall);
      one = fits ? std::next(one) : fields.erase(one);
    }
    for (const bool are_elements : {false, true}) {
      std::vector<const Array*> moved;
      Relocation relocation(subject_.program.function());
      for (const auto& [array, of_array] : fields) {
        if (of_array.are_elements() != are_elements) continue;
        moved.push_back(array);
        relocation.Lay(*array, [&its = of_array](address::Value at, std::uint32_t width,
                                                 address::Unknowns& unknowns) {
          return its.Place(at, width, unknowns);
        });
      }
      if (moved.empty()) continue;
      const Array* worst = *std::ranges::max_element(
          moved, {}, [this](const Array* array) { return WastedBy(*array); });
      const bool are_rows = are_elements || fields.at(worst).has_run();
      auto move = Run(are_rows ? MoveKind::kInterleave : MoveKind::kFieldArrays, moved, relocation);
      if (!move) continue;
      const Fields& first = fields.at(moved.front());
      move->structure = Bytes(first.structure());
      move->fields = static_cast<std::uint32_t>(first.count());
      moves_.push_back(*std::move(move));
    }
  }

  void TryShifts(const Array& array) {
    std::set<std::uint64_t> shifts;
    for (const std::uint32_t one : array.accesses) {
      const auto& shapes = Of(one).shapes;
      if (shapes.empty() || Of(one).sums.sectors <= Of(one).sums.ideal) continue;
      const std::uint64_t phase = shapes.front().shape.phase;
      if (phase != 0 && shifts.size() < kMostShifts) shifts.insert(kSector - phase);
    }
    std::optional<Move> best;
    for (const std::uint64_t by : shifts) {
      Relocation shift(subject_.program.function());
      shift.Lay(array, [by](address::Value at, std::uint32_t, address::Unknowns&) {
        return address::Value{at.bits + by, at.form};
      });
      auto move = Run(MoveKind::kAlign, {&array}, shift);
      if (!move || (best && best->after <= move->after)) continue;
      move->shift = Bytes(by);
      best = std::move(move);
    }
    if (best) moves_.push_back(*std::move(best));
  }

  // Bytes from a row to the next, where the row's number stands in the address times an argument.
  std::set<std::uint64_t> PitchesOf(std::uint32_t instruction) const {
    std::set<std::uint64_t> pitches;
    for (const auto& [monomial, coefficient] : subject_.formulas.Of(instruction)->terms()) {
      if (monomial.degree() < 2) continue;
      for (std::size_t i = 0; i < monomial.degree(); ++i) {
        const auto value =
            address::ArgumentNumber(subject_.program.function(),
                                    subject_.formulas.atoms()[monomial.atom(i)], subject_.launch);
        if (value && *value > 0) {
          pitches.insert(static_cast<std::uint64_t>(*value) * coefficient);
        }
      }
    }
    return pitches;
  }

  // Those of any access whose place is known; who lets data choose in a row has to have them, too.
  std::set<std::uint64_t> PitchesOf(const Array& array) const {
    std::set<std::uint64_t> pitches;
    for (const std::uint32_t one : array.accesses) pitches.merge(PitchesOf(one));
    std::erase_if(pitches, [&](std::uint64_t pitch) {
      return !std::ranges::all_of(
          array.by_data, [&](std::uint32_t one) { return PitchesOf(one).contains(pitch); });
    });
    return pitches;
  }

  void TryPitches(const Array& array) {
    std::size_t tried = 0;
    for (const std::uint64_t pitch : PitchesOf(array)) {
      if (pitch % kSector == 0 || pitch < kSector || ++tried > kMostPitches) continue;
      std::optional<Move> best = TryPitch(array, pitch, 0);
      // Rows may begin off a sector because the first one does.
      const std::uint64_t shift = (kSector - array.begin % kSector) % kSector;
      std::optional<Move> shifted = shift == 0 ? std::nullopt : TryPitch(array, pitch, shift);
      if (shifted && (!best || shifted->after < best->after)) best = std::move(shifted);
      if (best) moves_.push_back(*std::move(best));
    }
  }

  // The first row begins so many bytes later, too.
  std::optional<Move> TryPitch(const Array& array, std::uint64_t pitch, std::uint64_t shift) {
    const std::uint64_t padded = (pitch + kSector - 1) / kSector * kSector;
    Relocation rows(subject_.program.function());
    rows.Lay(
        array,
        [&](address::Value at, std::uint32_t, address::Unknowns&) -> std::optional<address::Value> {
          const std::uint64_t behind = at.bits - array.begin;
          if (at.bits < array.begin || at.form != address::kNoForm) return std::nullopt;
          return address::Value{array.begin + shift + behind / pitch * padded + behind % pitch,
                                at.form};
        });
    std::optional<Move> move = Run(MoveKind::kPadRows, {&array}, rows);
    if (!move) return std::nullopt;
    move->pitch_before = Bytes(pitch);
    move->pitch_after = Bytes(padded);
    move->shift = Bytes(shift);
    return move;
  }

  Trial& trial_;
  const Subject& subject_;
  const std::map<std::uint32_t, Copy> copies_;
  const double warps_;            // of a multiprocessor
  std::optional<Narrowed> only_;  // to accesses that change
  std::optional<Waits> before_;   // of those, as they are
  std::vector<Move> moves_;
};

}  // namespace

std::vector<Move> LayoutMoves(Trial& trial) { return Layouts(trial).Try(); }

}  // namespace coalcheck::moves
