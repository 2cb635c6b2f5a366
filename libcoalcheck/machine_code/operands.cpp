// SPDX-License-Identifier: Apache-2.0
//
// One row for each opcode that is common in loops; all others are taken to read every field.
#include "libcoalcheck/machine_code/operands.h"

#include <algorithm>
#include <optional>

#include "libcoalcheck/cubin/sass.h"

namespace coalcheck::machine_code {
namespace {

constexpr unsigned kZero = 255;      // RZ
constexpr unsigned kAlwaysTrue = 7;  // PT
constexpr std::uint32_t kLoad256 = 0x17e;

// What the fields of an opcode hold.
enum Shape : std::uint32_t {
  kD = 1U << 0U,         // bits 16-23: the destination
  kA = 1U << 1U,         // bits 24-31: a source
  kB = 1U << 2U,         // the second source, at 32, or at 64 when the third is no register
  kC = 1U << 3U,         // the third, at 64
  kP1 = 1U << 4U,        // bits 81-83: a destination predicate
  kP2 = 1U << 5U,        // bits 84-86: another
  kQ87 = 1U << 6U,       // bits 87-89: a source predicate
  kQ77 = 1U << 7U,       // bits 77-79: another
  kQ68 = 1U << 8U,       // bits 68-70: another, with bit 67 a uniform one
  kU = 1U << 9U,         // registers and predicates are uniform ones
  kWideD = 1U << 10U,    // a pair
  kWideS = 1U << 11U,    // every source is a pair
  kMemoryD = 1U << 12U,  // as many registers as the size in bits 73-75 says
  kMemoryA = 1U << 13U,  // an address, perhaps of 64 bits, perhaps with a uniform part
  kMemoryB = 1U << 14U,  // data at bits 32-39, as wide as the size says
  kReadsShared = 1U << 15U,
  kWritesShared = 1U << 16U,
  kReadsLocal = 1U << 17U,
  kWritesLocal = 1U << 18U,
  kUD = 1U << 19U,       // the destination alone is uniform
  kQuadD = 1U << 20U,    // up to four registers
  kQuadS = 1U << 21U,    // each source up to four
  kNothing = 1U << 22U,  // no operand that holds a value
  kVoteIn = 1U << 23U,   // a barrier that collects a predicate
  kAllP = 1U << 24U,     // reads all predicates
  kSetsAllP = 1U << 25U,
  kAtomicD = 1U << 26U,  // as many registers as the type of the atomic has
  kDataB = 1U << 27U,    // up to a pair at bits 32-39, in every form
  kDataC = 1U << 28U,    // and at 64-71
  kShuffle = 1U << 29U,  // the lane at bits 32-39 when it is a register
  kWideC = 1U << 30U,    // the third source is a pair
  kUnknown = 1U << 31U,
};

constexpr std::uint32_t kCompare = kP1 | kP2 | kA | kB | kQ87;
constexpr std::uint32_t kAnyMemory = kReadsShared | kReadsLocal;

constexpr auto kShapes = [] {
  std::array<std::uint32_t, 512> rows{};
  rows.fill(kUnknown);
  const auto set = [&rows](std::initializer_list<std::uint32_t> opcodes, std::uint32_t shape) {
    for (const std::uint32_t opcode : opcodes) rows[opcode] = shape;
  };
  set({0x002}, kD | kB);                                                // MOV
  set({0x003}, kD | kA | kAllP);                                        // P2R
  set({0x004}, kA | kSetsAllP);                                         // R2P
  set({0x005}, kD | kWideD);                                            // CS2R
  set({0x006}, kD | kP1 | kQ87);                                        // VOTE
  set({0x007, 0x008, 0x009, 0x017}, kD | kA | kB | kQ87);               // SEL FSEL FMNMX IMNMX
  set({0x048}, kD | kA | kB | kQ87 | kP1 | kP2);                        // VIMNMX
  set({0x046}, kD | kA | kB | kC | kQ87);                               // VIADDMNMX
  set({0x00b}, kCompare);                                               // FSETP
  set({0x00c}, kCompare | kQ68);                                        // ISETP
  set({0x02a}, kCompare | kWideS);                                      // DSETP
  set({0x010}, kD | kA | kB | kC | kP1 | kP2 | kQ87 | kQ77);            // IADD3
  set({0x011, 0x012}, kD | kA | kB | kC | kP1 | kQ87);                  // LEA LOP3
  set({0x013, 0x045}, kD | kB);                                         // IABS I2FP
  set({0x016, 0x019}, kD | kA | kB | kC);                               // PRMT SHF
  set({0x01a, 0x01b}, kD | kA | kB);                                    // SGXT BMSK
  set({0x01c}, kP1 | kP2 | kQ87 | kQ77 | kQ68);                         // PLOP3
  set({0x020, 0x021, 0x036}, kD | kA | kB);                             // FMUL FADD VIADD
  set({0x023}, kD | kA | kB | kC);                                      // FFMA
  set({0x024}, kD | kA | kB | kC | kQ87);                               // IMAD
  set({0x025}, kD | kWideD | kA | kB | kC | kWideC | kP1 | kQ87);       // IMAD.WIDE
  set({0x027}, kD | kA | kB | kC | kWideC | kP1 | kQ87);                // IMAD.HI
  set({0x028, 0x029, 0x02b}, kD | kWideD | kA | kB | kC | kWideS);      // DMUL DADD DFMA
  set({0x031, 0x035}, kD | kA | kB | kC);                               // HFMA2
  set({0x03c}, kQuadD | kD | kA | kB | kC | kQuadS);                    // HMMA
  set({0x03b}, kQuadD | kD | kA | kReadsShared);                        // LDSM
  set({0x03e}, kD | kA | kB);                                           // F2FP
  set({0x082}, kU | kD | kB);                                           // UMOV
  set({0x086}, kUD | kU | kD | kP1 | kQ87);                             // VOTEU
  set({0x087}, kU | kD | kA | kB | kQ87);                               // USEL
  set({0x08c}, kU | kCompare | kQ68 | kWideS);                          // UISETP
  set({0x090}, kU | kD | kA | kB | kC | kP1 | kP2 | kQ87 | kQ77);       // UIADD3
  set({0x091, 0x092}, kU | kD | kA | kB | kC | kP1 | kQ87);             // ULEA ULOP3
  set({0x097}, kU | kD | kWideD | kA | kB | kC | kWideS | kP1 | kP2);   // UIADD3.64
  set({0x099}, kU | kD | kA | kB | kC);                                 // USHF
  set({0x09b}, kU | kD | kA | kB);                                      // UBMSK
  set({0x09c}, kU | kP1 | kP2 | kQ87 | kQ77 | kQ68);                    // UPLOP3
  set({0x0a4}, kU | kD | kA | kB | kC | kQ87);                          // UIMAD
  set({0x0a5}, kU | kD | kWideD | kA | kB | kC | kWideC | kP1 | kQ87);  // UIMAD.WIDE
  set({0x0b9}, kU | kUD | kD | kMemoryD);                               // ULDC
  set({0x0bd, 0x0be, 0x0bf}, kU | kD | kB);                             // UFLO UBREV UPOPC
  set({0x0ca}, kUD | kD | kA);                                          // R2UR
  set({0x100, 0x101, 0x105, 0x106, 0x108, 0x109}, kD | kB);   // FLO BREV F2I I2F MUFU POPC
  set({0x102}, kP1 | kA | kB);                                // FCHK
  set({0x110, 0x111, 0x112}, kD | kWideD | kB | kWideS);      // F2F F2I I2F of 64 bits
  set({0x119}, kD);                                           // S2R
  set({0x118, 0x11a, 0x11b, 0x18f, 0x192, 0x1ab}, kNothing);  // NOP DEPBAR CCTL MEMBAR ERRBAR
  // Branches: their conditions are read elsewhere.
  set({0x141, 0x142, 0x143, 0x144, 0x145, 0x146, 0x147, 0x148, 0x14d, 0x150, 0x15b, 0x15c, 0x15d},
      kNothing);
  set({0x155, 0x153}, kD);                                // BMOV and RPCMOV to a register
  set({0x152, 0x154, 0x156, 0x157}, kB);                  // and from one
  set({0x149}, kA | kWideS);                              // BRX
  set({0x14e}, kD | kWideD);                              // LEPC;
  set({0x11d}, kNothing | kVoteIn | kQ87);                // BAR
  set({0x180}, kD | kMemoryD | kMemoryA | kAnyMemory);    // LD
  set({0x181}, kD | kMemoryD | kMemoryA);                 // LDG
  set({0x182}, kD | kMemoryD | kA);                       // LDC
  set({0x183}, kD | kMemoryD | kMemoryA | kReadsLocal);   // LDL
  set({0x184}, kD | kMemoryD | kMemoryA | kReadsShared);  // LDS
  set({0x185}, kMemoryA | kMemoryB | kWritesShared | kWritesLocal);                // ST
  set({0x186}, kMemoryA | kMemoryB);                                               // STG
  set({0x187}, kMemoryA | kMemoryB | kWritesLocal);                                // STL
  set({0x188}, kMemoryA | kMemoryB | kWritesShared);                               // STS
  set({0x18a, 0x1a2, 0x1a3, 0x1a8}, kD | kAtomicD | kP1 | kMemoryA | kDataB);      // ATOM ATOMG
  set({0x18b, 0x1a9}, kD | kAtomicD | kP1 | kMemoryA | kDataB | kDataC);           // their CAS
  set({0x18c, 0x18d}, kD | kWideD | kA | kB | kC | kReadsShared | kWritesShared);  // ATOMS
  set({0x18e, 0x1a6}, kNothing);                                                   // RED
  set({0x189}, kD | kP1 | kA | kC | kShuffle);                                     // SHFL
  set({0x1ac}, kUD | kU | kD | kMemoryD | kA);                                     // LDCU
  set({0x1c3}, kUD | kD);                                                          // S2UR
  set({0x1c4}, kUD | kD | kA);                                                     // REDUX
  return rows;
}();

// Some architectures have instructions on pairs of registers among the others.
std::uint32_t ShapeOf(const Word& word, std::uint32_t sm) {
  const std::uint32_t shape = kShapes[word.opcode()];
  if (!cubin::ArchitectureOf(sm).has_register_pairs) return shape;
  const bool marked = word.Bits(80, 1) != 0;
  const bool wide_constant = word.form() == 2;
  switch (word.opcode()) {
    case 0x002:  // MOV.64
    case 0x007:  // SEL.64
    case 0x082:  // UMOV.64
      return marked || wide_constant ? shape | kWideD | kWideS : shape;
    case 0x00c:  // ISETP.S64 .U64
      return marked ? shape | kWideS : shape;
    case 0x017:  // IMNMX.U64
      return shape | kWideD | kWideS | kP1 | kP2 | kQ77;
    case 0x035:  // IADD.64
      return kD | kWideD | kA | kB | kWideS;
    default:
      return shape;
  }
}

// Registers of one access: sizes below 32 bits and 32, then 64, then 128.
unsigned RegistersOf(const Word& word) {
  const std::uint32_t size = word.Bits(73, 3);
  return size <= 4 ? 1 : (size == 5 ? 2 : 4);
}

unsigned RegistersOfAtomic(const Word& word, std::uint32_t sm) {
  const std::optional<cubin::SassAccess> access = cubin::DecodeSass(word.low, word.high, sm);
  const std::uint64_t bytes = access ? access->width.count() : 0;
  return bytes == 0 ? 4 : static_cast<unsigned>((bytes + 3) / 4);
}

class Reader {
 public:
  Reader(const Word& word, std::uint32_t sm)
      : word_(word),
        sm_(sm),
        shape_(ShapeOf(word, sm)),
        zero_uniform_(cubin::ArchitectureOf(sm).zero_uniform) {}

  Operands Read() {
    const LocationRanges condition = ReadCondition(word_);
    for (const LocationRange& range : condition) operands_.reads.Add(range.first, range.count);
    if ((shape_ & kUnknown) != 0) {
      ReadAll();
    } else {
      ReadSources();
      ReadPredicates();
      ReadMemory();
      ReadDestination();
    }
    if (condition.begin() != condition.end()) operands_.overwrites = {};
    return operands_;
  }

 private:
  bool Is(std::uint32_t flag) const { return (shape_ & flag) != 0; }

  void Source(unsigned bit, unsigned count, bool uniform) {
    const unsigned number = word_.Bits(bit, 8);
    if (uniform) {
      const unsigned location = number & zero_uniform_;  // as many bits as there are registers
      if (location != zero_uniform_) AddClamped(operands_.reads, kUniform, location, count);
    } else if (number != kZero) {
      AddClamped(operands_.reads, kVector, number, count);
    }
  }

  static void AddClamped(LocationRanges& ranges, unsigned base, unsigned number, unsigned count) {
    ranges.Add(base + number, std::min(count, 255 - number));
  }

  void ReadSources() {
    const unsigned count = Is(kQuadS) ? 4 : (Is(kWideS) ? 2 : 1);
    const std::uint32_t form = word_.form();
    if (Is(kA)) Source(24, count, Is(kU));
    const bool third_is_64 = form == 1 || form >= 4;  // else the second source is in this field
    if (Is(kB)) {
      if (form == 1) Source(32, count, Is(kU));
      if (form == 6 || form == 7) Source(32, count, true);
      if (form == 2 || form == 3 || form == 7) Source(64, count, Is(kU));
    }
    if (Is(kC) && third_is_64 && form != 7) Source(64, Is(kWideC) ? 2 : count, Is(kU));
  }

  void ReadMemory() {
    if (Is(kMemoryA)) {
      Source(24, 2, false);
      if (word_.Bits(91, 1) != 0) Source(Is(kD) && !Is(kAtomicD) ? 32 : 64, 2, true);
    }
    if (Is(kMemoryB)) Source(32, RegistersOf(word_), false);
    if (Is(kDataB)) Source(32, 2, false);
    if (Is(kShuffle) && (word_.form() == 1 || word_.form() == 2)) Source(32, 1, false);
    // Where sm_75 keeps the data of a generic store.
    if (Is(kDataC) || (Is(kWritesLocal) && word_.form() == 1)) Source(64, 4, false);
    if (Is(kReadsShared)) operands_.reads.Add(kSharedMemory, 1);
    if (Is(kReadsLocal)) operands_.reads.Add(kLocalMemory, 1);
    if (Is(kWritesShared)) operands_.writes.Add(kSharedMemory, 1);
    if (Is(kWritesLocal)) operands_.writes.Add(kLocalMemory, 1);
    if (Is(kVoteIn)) operands_.writes.Add(kBarrierVote, 1);
  }

  void SourcePredicate(unsigned bit, bool uniform) {
    const unsigned number = word_.Bits(bit, 3);
    if (number == kAlwaysTrue) return;
    operands_.reads.Add((uniform ? kUniformPredicate : kPredicate) + number, 1);
  }

  void DestinationPredicate(unsigned bit, bool certain) {
    const unsigned number = word_.Bits(bit, 3);
    if (number == kAlwaysTrue) return;
    const unsigned location = (Is(kU) ? kUniformPredicate : kPredicate) + number;
    operands_.writes.Add(location, 1);
    if (certain) operands_.overwrites.Add(location, 1);
  }

  void ReadPredicates() {
    // VOTEU looks at an ordinary predicate.
    const bool uniform = Is(kU) && !Is(kUD);
    if (Is(kQ87)) SourcePredicate(87, uniform);
    if (Is(kQ77)) SourcePredicate(77, uniform);
    if (Is(kQ68)) SourcePredicate(68, uniform || word_.Bits(67, 1) != 0);
    if (Is(kAllP)) operands_.reads.Add(kPredicate, 7);
    if (Is(kSetsAllP)) operands_.writes.Add(kPredicate, 7);
    if (Is(kP1)) DestinationPredicate(81, true);
    if (Is(kP2)) DestinationPredicate(84, true);
  }

  void ReadDestination() {
    if (!Is(kD)) return;
    const bool uniform = Is(kU) || Is(kUD);
    const unsigned number = word_.Bits(16, 8);
    if (number == (uniform ? zero_uniform_ : kZero)) return;
    unsigned count = Is(kQuadD) ? 4 : (Is(kWideD) ? 2 : 1);
    if (Is(kMemoryD)) count = RegistersOf(word_);
    if (Is(kAtomicD)) count = RegistersOfAtomic(word_, sm_);
    const unsigned base = uniform ? kUniform : kVector;
    AddClamped(operands_.writes, base, number, count);
    operands_.overwrites.Add(base + number, 1);
  }

  // Nothing is known of this opcode: every field may be anything.
  void ReadAll() {
    for (const unsigned bit : {24U, 32U, 64U}) {
      Source(bit, 4, false);
      Source(bit, 4, true);
    }
    for (const unsigned bit : {87U, 77U, 68U}) SourcePredicate(bit, false);
    operands_.reads.Add(kBarrierVote, 1);
    const unsigned number = word_.Bits(16, 8);
    if (number != kZero) AddClamped(operands_.writes, kVector, number, 4);
    if (number < 255) AddClamped(operands_.writes, kUniform, number, 2);
    if (word_.opcode() == kLoad256) {  // the second half of what it loads goes elsewhere
      AddClamped(operands_.writes, kVector, word_.Bits(32, 8), 4);
      AddClamped(operands_.writes, kVector, word_.Bits(64, 8), 4);
    }
    for (const unsigned bit : {81U, 84U}) DestinationPredicate(bit, false);
  }

  const Word& word_;
  std::uint32_t sm_;
  std::uint32_t shape_;
  unsigned zero_uniform_;
  Operands operands_;
};

}  // namespace

Operands ReadOperands(const Word& word, std::uint32_t sm) { return Reader(word, sm).Read(); }

LocationRanges ReadCondition(const Word& word) {
  LocationRanges locations;
  const unsigned guard = word.guard();
  // Instructions of the uniform datapath are guarded by uniform predicates. Opcodes from 0x1ac on
  // are of both kinds: both are taken, since telling them apart would need a table.
  const bool uniform = word.opcode() >= 0x080 && word.opcode() < 0x0c0;
  const bool either = word.opcode() >= 0x1ac;
  if (word.is_guarded()) locations.Add((uniform ? kUniformPredicate : kPredicate) + guard, 1);
  if (word.is_guarded() && either) locations.Add(kUniformPredicate + guard, 1);
  if (word.opcode() == 0x147) {
    const unsigned second = word.Bits(87, 3);
    if (second != kAlwaysTrue) locations.Add(kPredicate + second, 1);
    const unsigned third = word.Bits(24, 3);
    if (word.form() == 2 && third != kAlwaysTrue) locations.Add(kUniformPredicate + third, 1);
  }
  return locations;
}

}  // namespace coalcheck::machine_code
