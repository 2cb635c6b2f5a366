// SPDX-License-Identifier: Apache-2.0
//
// Tables of the words that opcodes are made of (PTX ISA 9.0, chapter 9).
#include "libcoalcheck/ptx/opcode.h"

#include <algorithm>
#include <charconv>

namespace coalcheck::ptx {
namespace {

template <typename T>
struct Word {
  std::string_view text;
  T value;
};

constexpr Word<Op> kOps[] = {
    {"mov", Op::kMov},
    {"add", Op::kAdd},
    {"addc", Op::kAdd},
    {"sub", Op::kSub},
    {"subc", Op::kSub},
    {"mul", Op::kMul},
    {"mad", Op::kMad},
    {"madc", Op::kMad},
    {"fma", Op::kMad},
    {"dp4a", Op::kDp4a},
    {"div", Op::kDiv},
    {"rem", Op::kRem},
    {"min", Op::kMin},
    {"max", Op::kMax},
    {"abs", Op::kAbs},
    {"neg", Op::kNeg},
    {"sad", Op::kSad},
    {"and", Op::kAnd},
    {"or", Op::kOr},
    {"xor", Op::kXor},
    {"not", Op::kNot},
    {"cnot", Op::kCnot},
    {"lop3", Op::kLop3},
    {"shl", Op::kShl},
    {"shr", Op::kShr},
    {"shf", Op::kShf},
    {"bfe", Op::kBfe},
    {"bfi", Op::kBfi},
    {"bfind", Op::kBfind},
    {"brev", Op::kBrev},
    {"popc", Op::kPopc},
    {"clz", Op::kClz},
    {"prmt", Op::kPrmt},
    {"szext", Op::kSzext},
    {"bmsk", Op::kBmsk},
    {"selp", Op::kSelp},
    {"slct", Op::kSlct},
    {"setp", Op::kSetp},
    {"set", Op::kSet},
    {"sqrt", Op::kSqrt},
    {"rsqrt", Op::kRsqrt},
    {"rcp", Op::kRcp},
    {"ex2", Op::kEx2},
    {"lg2", Op::kLg2},
    {"sin", Op::kSin},
    {"cos", Op::kCos},
    {"tanh", Op::kTanh},
    {"copysign", Op::kCopysign},
    {"cvt", Op::kCvt},
    {"cvta", Op::kCvta},
    {"isspacep", Op::kIsspacep},
    {"ld", Op::kLd},
    {"ldu", Op::kLd},
    {"st", Op::kSt},
    {"atom", Op::kAtom},
    {"red", Op::kRed},
    {"shfl", Op::kShfl},
    {"vote", Op::kVote},
    {"match", Op::kMatch},
    {"activemask", Op::kActivemask},
    {"redux", Op::kRedux},
    {"elect", Op::kElect},
    {"bra", Op::kBra},
    {"brx", Op::kBrx},
    {"call", Op::kCall},
    {"ret", Op::kRet},
    {"exit", Op::kExit},
    {"trap", Op::kTrap},
    {"mul24", Op::kOther},
    {"mad24", Op::kOther},
    {"dp2a", Op::kOther},
    {"testp", Op::kOther},
    {"fns", Op::kOther},
    {"mapa", Op::kOther},
    {"getctarank", Op::kOther},
    {"istypep", Op::kOther},
    {"txq", Op::kOther},
    {"suq", Op::kOther},
    {"createpolicy", Op::kOther},
    {"vadd", Op::kOther},
    {"vsub", Op::kOther},
    {"vabsdiff", Op::kOther},
    {"vmin", Op::kOther},
    {"vmax", Op::kOther},
    {"vshl", Op::kOther},
    {"vshr", Op::kOther},
    {"vmad", Op::kOther},
    {"vset", Op::kOther},
    {"vadd2", Op::kOther},
    {"vsub2", Op::kOther},
    {"vavrg2", Op::kOther},
    {"vabsdiff2", Op::kOther},
    {"vmin2", Op::kOther},
    {"vmax2", Op::kOther},
    {"vset2", Op::kOther},
    {"vadd4", Op::kOther},
    {"vsub4", Op::kOther},
    {"vavrg4", Op::kOther},
    {"vabsdiff4", Op::kOther},
    {"vmin4", Op::kOther},
    {"vmax4", Op::kOther},
    {"vset4", Op::kOther},
    {"tex", Op::kOfLane},
    {"tld4", Op::kOfLane},
    {"suld", Op::kOfLane},
    {"ldmatrix", Op::kOfLane},
    {"movmatrix", Op::kOfLane},
    {"mma", Op::kOfLane},
    {"wmma", Op::kOfLane},
    {"wgmma", Op::kOfLane},
    {"tcgen05", Op::kOfLane},
    {"multimem", Op::kOfLane},
    {"mbarrier", Op::kOfLane},
    {"clusterlaunchcontrol", Op::kOfLane},
    {"alloca", Op::kOfLane},
    {"stacksave", Op::kOfLane},
    {"bar", Op::kNothing},
    {"barrier", Op::kNothing},
    {"membar", Op::kNothing},
    {"fence", Op::kNothing},
    {"prefetch", Op::kNothing},
    {"prefetchu", Op::kNothing},
    {"nanosleep", Op::kNothing},
    {"brkpt", Op::kNothing},
    {"pmevent", Op::kNothing},
    {"griddepcontrol", Op::kNothing},
    {"setmaxnreg", Op::kNothing},
    {"discard", Op::kNothing},
    {"applypriority", Op::kNothing},
    {"stackrestore", Op::kNothing},
    {"stmatrix", Op::kNothing},
    {"sust", Op::kNothing},
    {"sured", Op::kNothing},
    {"tensormap", Op::kNothing},
};

constexpr Word<Space> kSpaces[] = {
    {"global", Space::kGlobal}, {"shared", Space::kShared}, {"local", Space::kLocal},
    {"param", Space::kParam},   {"const", Space::kConst},
};

struct CompareWord {
  std::string_view text;
  Compare value;
  bool unordered;
};
constexpr CompareWord kCompares[] = {
    {"eq", Compare::kEq, false}, {"ne", Compare::kNe, false},   {"lt", Compare::kLt, false},
    {"le", Compare::kLe, false}, {"gt", Compare::kGt, false},   {"ge", Compare::kGe, false},
    {"lo", Compare::kLt, false}, {"ls", Compare::kLe, false},   {"hi", Compare::kGt, false},
    {"hs", Compare::kGe, false}, {"equ", Compare::kEq, true},   {"neu", Compare::kNe, true},
    {"ltu", Compare::kLt, true}, {"leu", Compare::kLe, true},   {"gtu", Compare::kGt, true},
    {"geu", Compare::kGe, true}, {"num", Compare::kNum, false}, {"nan", Compare::kNan, true},
};

constexpr Word<Combine> kCombines[] = {
    {"and", Combine::kAnd}, {"or", Combine::kOr}, {"xor", Combine::kXor}};

constexpr Word<Mode> kModes[] = {
    {"lo", Mode::kLo},         {"hi", Mode::kHi},   {"wide", Mode::kWide}, {"l", Mode::kLeft},
    {"r", Mode::kRight},       {"up", Mode::kUp},   {"down", Mode::kDown}, {"bfly", Mode::kBfly},
    {"idx", Mode::kIdx},       {"all", Mode::kAll}, {"any", Mode::kAny},   {"uni", Mode::kUni},
    {"ballot", Mode::kBallot}, {"to", Mode::kTo},   {"add", Mode::kAdd},   {"min", Mode::kMin},
    {"max", Mode::kMax},       {"and", Mode::kAnd}, {"or", Mode::kOr},     {"xor", Mode::kXor},
    {"shiftamt", Mode::kLeft},
};

template <typename T, std::size_t N>
const Word<T>* Find(const Word<T> (&words)[N], std::string_view text) {
  for (const Word<T>& word : words) {
    // Nearly all differ here.
    if (word.text.size() != text.size() || word.text.front() != text.front()) continue;
    if (word.text == text) return &word;
  }
  return nullptr;
}

// The next dot-separated part of `opcode`, which is shortened by it.
std::string_view NextPart(std::string_view& opcode) {
  const std::size_t dot = opcode.find('.');
  const std::string_view part = opcode.substr(0, dot);
  opcode.remove_prefix(dot == std::string_view::npos ? opcode.size() : dot + 1);
  return part;
}

bool Compares(Op op) { return op == Op::kSetp || op == Op::kSet; }

bool HasSpace(Op op) {
  return op == Op::kLd || op == Op::kSt || op == Op::kAtom || op == Op::kRed || op == Op::kCvta ||
         op == Op::kIsspacep;
}

bool ReadRounding(std::string_view part, Opcode& code) {
  if (part.size() < 2 || part.size() > 3 || part[0] != 'r') return false;
  const std::string_view modes = "nzmp";
  if (modes.find(part[1]) == std::string_view::npos) return false;
  if (part.size() == 3 && part[2] != 'i') return false;
  code.rounds = true;
  code.rounding = part[1];
  return true;
}

// Whether operands may be of another type than the result.
bool HasSecondType(Op op) {
  return op == Op::kCvt || op == Op::kSet || op == Op::kSlct || op == Op::kDp4a;
}

// False where the type changes what is computed in a way that is not known.
bool ReadType(Type type, Opcode& code) {
  if (code.type.kind == Type::Kind::kNone) {
    code.type = type;
    return true;
  }
  if (code.op != Op::kLd && code.op != Op::kSt) code.from = type;
  return HasSecondType(code.op) || code.op == Op::kLd || code.op == Op::kSt;
}

// Operations that are computed from their operands, so that each word matters.
bool IsComputed(Op op) {
  return (op >= Op::kMov && op <= Op::kIsspacep) || op == Op::kRedux || op == Op::kShfl ||
         op == Op::kVote;
}

// Parts that change nothing, or less than is looked at.
bool IsHarmless(std::string_view part) {
  return part == "wrap" || part == "sync" || part == "aligned";
}

// False where the part is not known.
bool ReadPart(std::string_view part, Opcode& code) {
  if (const Type type = TypeFromString(part); type.kind != Type::Kind::kNone) {
    return ReadType(type, code);
  }
  if (part == "ftz") return code.flushes = true;
  if (Compares(code.op)) {
    const auto* compare = std::ranges::find(kCompares, part, &CompareWord::text);
    if (compare != std::end(kCompares) && code.compare == Compare::kNone) {
      code.compare = compare->value;
      code.unordered = compare->unordered;
    } else if (const auto* combine = Find(kCombines, part)) {
      code.combine = combine->value;
    } else {
      return false;
    }
    return true;
  }
  if (HasSpace(code.op)) {
    // "shared::cta", "param::entry": the sub-space does not matter.
    if (const auto* space = Find(kSpaces, part.substr(0, part.find(':')))) {
      code.space = space->value;
      return true;
    }
    if (part == "v2" || part == "v4" || part == "v8") {
      code.vector = static_cast<std::uint8_t>(part[1] - '0');
      return true;
    }
  }
  if (part == "cc") return code.carries = true;
  if (part == "sat") return code.saturates = true;
  if (part == "clamp") return code.clamps = true;
  if (part == "approx" || part == "full") return code.approximate = true;
  if (ReadRounding(part, code)) return true;
  const auto* mode = Find(kModes, part);
  if (mode == nullptr || code.mode != Mode::kNone) return IsHarmless(part);
  code.mode = mode->value;
  return true;
}

}  // namespace

Type TypeFromString(std::string_view name) {
  if (name == "pred") return {Type::Kind::kPredicate, 1};
  if (name == "f16x2" || name == "bf16x2") return {Type::Kind::kPacked, 4};
  if (name == "u16x2" || name == "s16x2") return {Type::Kind::kPacked, 4};
  if (name == "bf16") return {Type::Kind::kPacked, 2};
  if (name.size() < 2 || name.size() > 4) return {};
  constexpr Word<Type::Kind> kKinds[] = {{"b", Type::Kind::kBits},
                                         {"u", Type::Kind::kUnsigned},
                                         {"s", Type::Kind::kSigned},
                                         {"f", Type::Kind::kFloat}};
  const auto* kind = Find(kKinds, name.substr(0, 1));
  unsigned bits = 0;
  const auto [rest, error] = std::from_chars(name.data() + 1, name.data() + name.size(), bits);
  const bool is_size = bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128;
  if (kind == nullptr || error != std::errc() || rest != name.data() + name.size() || !is_size) {
    return {};
  }
  return {kind->value, static_cast<std::uint8_t>(bits / 8)};
}

Opcode ReadOpcode(std::string_view text) {
  Opcode code;
  if (text.starts_with("cp.async.bulk") || text.starts_with("cp.reduce.async.bulk")) {
    code.op = Op::kBulkCopy;
    return code;
  }
  if (text.starts_with("cp.async.ca.") || text.starts_with("cp.async.cg.")) {
    code.op = Op::kCpAsync;
    code.space = Space::kGlobal;
    return code;
  }
  if (text.starts_with("cp.async.")) {
    code.op = Op::kNothing;  // commit_group, wait_group, mbarrier
    return code;
  }
  const std::string_view name = NextPart(text);
  if (name == "mbarrier" && (text.starts_with("test_wait") || text.starts_with("try_wait"))) {
    code.op = Op::kMbarrierWait;
    code.type = {Type::Kind::kPredicate, 1};
    return code;
  }
  if (const auto* op = Find(kOps, name)) code.op = op->value;
  const bool is_barrier = name == "bar" || name == "barrier";
  if (is_barrier && (text.starts_with("red.") || text.find(".red.") != std::string_view::npos)) {
    code.op = Op::kBlockVote;
  }
  code.carries = name == "addc" || name == "subc" || name == "madc";
  bool is_known = true;
  while (!text.empty()) is_known = ReadPart(NextPart(text), code) && is_known;
  // Values are held in 64 bits.
  if ((!is_known || code.type.bytes > 8) && IsComputed(code.op)) code.op = Op::kOther;
  return code;
}

}  // namespace coalcheck::ptx
