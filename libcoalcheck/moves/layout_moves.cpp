// SPDX-License-Identifier: Apache-2.0
//
// Each array by itself: its accesses ask for what they asked for at other addresses.
#include "libcoalcheck/moves/layout_moves.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "libcoalcheck/moves/arrays.h"
#include "libcoalcheck/ptx/slice.h"

namespace coalcheck::moves {
namespace {

using address::LaneShape;

constexpr std::uint64_t kLargestStructure = 256;  // bytes
constexpr std::size_t kMostShifts = 3;            // tried for each array
constexpr std::size_t kMostPitches = 2;
constexpr std::uint64_t kSector = kSectorSize.count();

// An array, and who asks for it.
struct Array {
  std::uint32_t parameter = 0;
  std::uint64_t begin = 0;
  std::set<std::uint32_t> accesses;  // instructions
};

// Changes the addresses of one array's accesses, each by itself.
class Relocation : public address::RequestFilter {
 public:
  explicit Relocation(const Subject& subject, const Array& array)
      : array_(array), function_(subject.program.function()) {}

  void Take(const address::Request& request) override {
    if (!array_.accesses.contains(request.instruction)) return next().Take(request);
    address::Request moved = request;
    const std::uint32_t width =
        ptx::WidthOf(function_, function_.instructions[request.instruction]);
    address::EachLane(request.active, [&](std::uint32_t lane) {
      const std::uint64_t address = request.addresses.bits[lane];
      fits_ = fits_ && address >= array_.begin && request.addresses.is_known;
      moved.addresses.bits[lane] = Place(address - array_.begin, width);
    });
    next().Take(moved);
  }
  // Whether every access lay where the move takes it to.
  virtual bool Fits() const { return fits_; }

 protected:
  // Where what lay so many bytes behind the array's beginning lies then.
  virtual std::uint64_t Place(std::uint64_t behind, std::uint32_t width) = 0;
  const Array& array() const { return array_; }

 private:
  const Array& array_;
  const ptx::Function& function_;
  bool fits_ = true;
};

class Fields : public Relocation {
 public:
  Fields(const Subject& subject, const Array& array, std::uint64_t structure)
      : Relocation(subject, array), structure_(structure) {}

  bool Fits() const override {
    std::uint64_t end = 0;
    for (const auto& [offset, width] : fields_) {
      if (offset < end || width == 0) return false;
      end = offset + width;
    }
    return !differ_ && end <= structure_ && Relocation::Fits();
  }
  std::size_t fields() const { return fields_.size(); }

 protected:
  std::uint64_t Place(std::uint64_t behind, std::uint32_t width) override {
    const std::uint64_t field = behind % structure_;
    const auto known = fields_.try_emplace(field, width).first;
    differ_ = differ_ || known->second != width;
    // Far from every other field, and at a multiple of any line.
    return (field + 1) << 44U | behind / structure_ * width;
  }

 private:
  std::uint64_t structure_;
  std::map<std::uint64_t, std::uint32_t> fields_;  // by offset: how wide
  bool differ_ = false;                            // in the widths of one field
};

class Shift : public Relocation {
 public:
  Shift(const Subject& subject, const Array& array, std::uint64_t by)
      : Relocation(subject, array), by_(by) {}

 protected:
  std::uint64_t Place(std::uint64_t behind, std::uint32_t) override {
    return array().begin + behind + by_;
  }

 private:
  std::uint64_t by_;
};

class Pitch : public Relocation {
 public:
  Pitch(const Subject& subject, const Array& array, std::uint64_t before, std::uint64_t after)
      : Relocation(subject, array), before_(before), after_(after) {}

 protected:
  std::uint64_t Place(std::uint64_t behind, std::uint32_t) override {
    return array().begin + behind / before_ * after_ + behind % before_;
  }

 private:
  std::uint64_t before_;
  std::uint64_t after_;
};

class Layouts {
 public:
  explicit Layouts(Trial& trial) : trial_(trial), subject_(trial.subject()) {}

  std::vector<Move> Try() {
    for (const Array& array : Arrays()) {
      if (!Wastes(array)) continue;
      TryFields(array);
      TryShifts(array);
      TryPitches(array);
    }
    return std::move(moves_);
  }

 private:
  // None where an access may be of any array.
  std::vector<Array> Arrays() const {
    std::map<std::uint32_t, Array> arrays;
    std::set<std::uint32_t> unsure;
    for (const auto& [instruction, counted] : subject_.counted) {
      const auto parameter = ArrayOf(subject_, instruction);
      if (!parameter) return {};
      const auto begin = PlaceOf(subject_, *parameter);
      Array& array = arrays[*parameter];
      array.parameter = *parameter;
      array.begin = begin.value_or(0);
      array.accesses.insert(instruction);
      if (!begin || !subject_.confirmed.contains(instruction)) unsure.insert(*parameter);
    }
    std::vector<Array> sure;
    for (auto& one : arrays) {
      const bool is_alone = std::ranges::none_of(arrays, [&](const auto& other) {
        return other.first != one.first && other.second.begin == one.second.begin;
      });
      if (is_alone && !unsure.contains(one.first)) sure.push_back(std::move(one.second));
    }
    return sure;
  }

  const address::EvaluatedAccess& Of(std::uint32_t instruction) const {
    return *subject_.evaluation.Find(instruction);
  }

  bool Wastes(const Array& array) const {
    return std::ranges::any_of(array.accesses, [&](std::uint32_t one) {
      return Of(one).sums.sectors > Of(one).sums.ideal;
    });
  }

  std::optional<Move> Run(MoveKind kind, const Array& array, Relocation& relocation) {
    const auto after = trial_.Run(subject_.launch, &relocation);
    if (!after || !relocation.Fits()) return std::nullopt;
    Move move = trial_.Compare(kind, *after, &array.accesses);
    move.parameter = array.parameter;
    const ptx::Function& function = subject_.program.function();
    move.width = Bytes(ptx::WidthOf(function, function.instructions[*array.accesses.begin()]));
    return move;
  }

  // Whether the step between threads stands in the code: a structure's size does.
  bool HasStepInCode(std::uint32_t instruction, std::uint64_t step) const {
    const address::Formula& formula = *subject_.formulas.Of(instruction);
    bool found = false;
    for (const auto& [monomial, coefficient] : formula.terms()) {
      for (std::size_t i = 0; i < monomial.degree(); ++i) {
        const address::FormulaAtom& atom = subject_.formulas.atoms()[monomial.atom(i)];
        const bool is_thread = atom.kind == address::FormulaKind::kSpecial &&
                               atom.a == static_cast<std::uint32_t>(ptx::Special::kTidX);
        if (!is_thread) continue;
        if (monomial.degree() > 1 || coefficient != step) return false;
        found = true;
      }
    }
    return found;
  }

  // The step of lanes that all accesses of the array have in common.
  std::optional<std::uint64_t> StructureOf(const Array& array) const {
    std::optional<std::uint64_t> structure;
    for (const std::uint32_t one : array.accesses) {
      const auto& shapes = Of(one).shapes;
      if (shapes.empty() || shapes.front().shape.kind != LaneShape::Kind::kStep) continue;
      const auto step = static_cast<std::uint64_t>(std::abs(shapes.front().shape.step));
      if (structure && *structure != step) return std::nullopt;
      if (!HasStepInCode(one, step)) return std::nullopt;
      structure = step;
    }
    if (!structure || *structure == 0 || *structure > kLargestStructure) return std::nullopt;
    return structure;
  }

  void TryFields(const Array& array) {
    const auto structure = StructureOf(array);
    if (!structure) return;
    Fields fields(subject_, array, *structure);
    auto move = Run(MoveKind::kFieldArrays, array, fields);
    if (!move || move->width.count() >= *structure) return;
    move->structure = Bytes(*structure);
    move->fields = static_cast<std::uint32_t>(fields.fields());
    moves_.push_back(*std::move(move));
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
      Shift shift(subject_, array, by);
      auto move = Run(MoveKind::kAlign, array, shift);
      if (!move || (best && best->after <= move->after)) continue;
      move->shift = Bytes(by);
      best = std::move(move);
    }
    if (best) moves_.push_back(*std::move(best));
  }

  // Bytes from a row to the next, where the row's number stands in the address times an argument.
  std::set<std::uint64_t> PitchesOf(const Array& array) const {
    std::set<std::uint64_t> pitches;
    for (const std::uint32_t one : array.accesses) {
      for (const auto& [monomial, coefficient] : subject_.formulas.Of(one)->terms()) {
        if (monomial.degree() < 2) continue;
        for (std::size_t i = 0; i < monomial.degree(); ++i) {
          const auto value = ValueOf(subject_, subject_.formulas.atoms()[monomial.atom(i)]);
          if (value && *value > 0) pitches.insert(*value * coefficient);
        }
      }
    }
    return pitches;
  }

  void TryPitches(const Array& array) {
    std::size_t tried = 0;
    for (const std::uint64_t pitch : PitchesOf(array)) {
      const std::uint64_t padded = (pitch + kSector - 1) / kSector * kSector;
      if (pitch % kSector == 0 || pitch < kSector || ++tried > kMostPitches) continue;
      Pitch rows(subject_, array, pitch, padded);
      auto move = Run(MoveKind::kPadRows, array, rows);
      if (!move) continue;
      move->pitch_before = Bytes(pitch);
      move->pitch_after = Bytes(padded);
      moves_.push_back(*std::move(move));
    }
  }

  Trial& trial_;
  const Subject& subject_;
  std::vector<Move> moves_;
};

}  // namespace

std::vector<Move> LayoutMoves(Trial& trial) { return Layouts(trial).Try(); }

}  // namespace coalcheck::moves
