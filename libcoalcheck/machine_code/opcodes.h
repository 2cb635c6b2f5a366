// SPDX-License-Identifier: Apache-2.0
//
// The instructions whose values are followed, by the low nine bits of their opcodes.
#pragma once

#include <cstdint>

namespace coalcheck::machine_code::opcode {

inline constexpr std::uint32_t kMov = 0x002;
inline constexpr std::uint32_t kCs2r = 0x005;
inline constexpr std::uint32_t kVote = 0x006;
inline constexpr std::uint32_t kSel = 0x007;
inline constexpr std::uint32_t kIsetp = 0x00c;
inline constexpr std::uint32_t kIadd3 = 0x010;
inline constexpr std::uint32_t kLea = 0x011;
inline constexpr std::uint32_t kLop3 = 0x012;
inline constexpr std::uint32_t kIabs = 0x013;
inline constexpr std::uint32_t kImnmx = 0x017;
inline constexpr std::uint32_t kShf = 0x019;
inline constexpr std::uint32_t kPlop3 = 0x01c;
inline constexpr std::uint32_t kImad = 0x024;
inline constexpr std::uint32_t kImadWide = 0x025;
inline constexpr std::uint32_t kImadHigh = 0x027;
inline constexpr std::uint32_t kHfma2 = 0x031;
inline constexpr std::uint32_t kHfma2Mma = 0x035;
inline constexpr std::uint32_t kIadd64 = 0x035;  // where registers come in pairs
inline constexpr std::uint32_t kViadd = 0x036;
inline constexpr std::uint32_t kViaddmnmx = 0x046;
inline constexpr std::uint32_t kVimnmx = 0x048;
inline constexpr std::uint32_t kUmov = 0x082;
inline constexpr std::uint32_t kVoteu = 0x086;
inline constexpr std::uint32_t kUsel = 0x087;
inline constexpr std::uint32_t kUisetp = 0x08c;
inline constexpr std::uint32_t kUiadd3 = 0x090;
inline constexpr std::uint32_t kUlea = 0x091;
inline constexpr std::uint32_t kUlop3 = 0x092;
inline constexpr std::uint32_t kUiadd3Wide = 0x097;
inline constexpr std::uint32_t kUshf = 0x099;
inline constexpr std::uint32_t kUimad = 0x0a4;
inline constexpr std::uint32_t kUimadWide = 0x0a5;
inline constexpr std::uint32_t kUldc = 0x0b9;
inline constexpr std::uint32_t kUpopc = 0x0bf;
inline constexpr std::uint32_t kR2ur = 0x0ca;
inline constexpr std::uint32_t kPopc = 0x109;
inline constexpr std::uint32_t kS2r = 0x119;
inline constexpr std::uint32_t kLdc = 0x182;
inline constexpr std::uint32_t kAtom = 0x18a;
inline constexpr std::uint32_t kRed = 0x18e;
inline constexpr std::uint32_t kRedFloat = 0x1a6;
inline constexpr std::uint32_t kAtomg = 0x1a8;
inline constexpr std::uint32_t kLdcu = 0x1ac;
inline constexpr std::uint32_t kS2ur = 0x1c3;

}  // namespace coalcheck::machine_code::opcode
