// SPDX-License-Identifier: Apache-2.0
//
// The vocabulary of PTX opcodes: what an instruction does, on which type, in which state space.
#pragma once

#include <cstdint>
#include <string_view>

namespace coalcheck::ptx {

// Operations whose results coalcheck can compute or has to know.
enum class Op : std::uint8_t {
  kUnread,  // of a name that is not known: each of its registers may be a result
  kOther,   // its result, which is not computed, depends on its operands alone
  kMov,
  kAdd,
  kSub,
  kMul,
  kMad,
  kDp4a,
  kDiv,
  kRem,
  kMin,
  kMax,
  kAbs,
  kNeg,
  kSad,
  kAnd,
  kOr,
  kXor,
  kNot,
  kCnot,
  kLop3,
  kShl,
  kShr,
  kShf,
  kBfe,
  kBfi,
  kBfind,
  kBrev,
  kPopc,
  kClz,
  kPrmt,
  kSzext,
  kBmsk,
  kSelp,
  kSlct,
  kSetp,
  kSet,
  kSqrt,
  kRsqrt,
  kRcp,
  kEx2,
  kLg2,
  kSin,
  kCos,
  kTanh,
  kCopysign,
  kCvt,
  kCvta,
  kIsspacep,
  kLd,
  kSt,
  kAtom,
  kRed,
  kCpAsync,
  kBulkCopy,
  kMbarrierWait,  // mbarrier.test_wait and try_wait
  kShfl,
  kVote,
  kMatch,
  kActivemask,
  kRedux,
  kElect,
  kBra,
  kBrx,
  kCall,
  kRet,
  kExit,
  kTrap,
  kOfLane,     // what a lane gets depends on more than its operands: texels, parts of matrices
  kBlockVote,  // bar.red: of all threads of the block
  kNothing,    // barriers, fences, prefetches: no result, no part in any address
};

enum class Space : std::uint8_t { kGeneric, kGlobal, kShared, kLocal, kParam, kConst, kOther };

enum class Compare : std::uint8_t { kNone, kEq, kNe, kLt, kLe, kGt, kGe, kNum, kNan };

enum class Combine : std::uint8_t { kNone, kAnd, kOr, kXor };

// How two predicates or lanes are put together, rounding and the like: modifiers that change what
// is computed.
enum class Mode : std::uint8_t {
  kNone,
  kLo,
  kHi,
  kWide,  // mul, mad
  kLeft,
  kRight,  // shf; bfind.shiftamt is to the left
  kUp,
  kDown,
  kBfly,
  kIdx,  // shfl
  kAll,
  kAny,
  kUni,
  kBallot,  // vote, match
  kTo,      // cvta.to: from generic
  kAdd,
  kMin,
  kMax,
  kAnd,
  kOr,
  kXor,  // redux, and the operation of atom and red
};

// Of a value: what its bits mean and how many bytes they are.
struct Type {
  enum class Kind : std::uint8_t { kNone, kPredicate, kBits, kUnsigned, kSigned, kFloat, kPacked };
  Kind kind = Kind::kNone;
  std::uint8_t bytes = 0;

  bool IsSigned() const { return kind == Kind::kSigned; }
  bool IsFloat() const { return kind == Kind::kFloat; }
  bool IsInteger() const {
    return kind == Kind::kBits || kind == Kind::kUnsigned || kind == Kind::kSigned;
  }
  friend bool operator==(const Type&, const Type&) = default;
};

// "u32", "f16x2", "pred"; kNone for what is no type.
Type TypeFromString(std::string_view name);

struct Opcode {
  Op op = Op::kUnread;
  Type type;  // of the result; what is compared, in setp; what lies in memory, in ld and st
  Type from;  // of what is converted, in cvt; what is compared, in set
  Space space = Space::kGeneric;
  Compare compare = Compare::kNone;
  Combine combine = Combine::kNone;
  Mode mode = Mode::kNone;
  std::uint8_t vector = 1;  // elements
  bool clamps = false;      // shf.clamp
  bool unordered = false;   // comparisons that NaN makes true
  bool carries = false;     // reads or sets the carry flag
  bool saturates = false;
  bool flushes = false;      // .ftz: subnormal floats are zero, with their sign
  bool rounds = false;       // cvt with a rounding mode
  char rounding = 'z';       // 'n' even, 'z' to zero, 'm' down, 'p' up; with an integer result
  bool approximate = false;  // not the IEEE result

  friend bool operator==(const Opcode&, const Opcode&) = default;
};

// Of "ld.global.nc.v4.f32" and its like. Where a word is not known, `op` is none that is computed.
Opcode ReadOpcode(std::string_view text);

}  // namespace coalcheck::ptx
