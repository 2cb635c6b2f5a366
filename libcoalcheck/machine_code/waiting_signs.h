// SPDX-License-Identifier: Apache-2.0
//
// Signs in a kernel's machine code that it may wait for other work to make progress. A heuristic:
// docs/waiting-kernels.md says what it sees and what it does not.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string_view>

namespace coalcheck::machine_code {

enum class WaitingSign : std::uint8_t {
  // A volatile, GPU- or system-scope load decides when a loop ends.
  kStrongLoad,
  // So does what an atomic returned.
  kReturningAtomic,
  // A fence or a nanosleep in a loop that ends by one of these values or by a weak load.
  kFence,
  kNanosleep,
  // A weak load decides when a loop ends, and a fence, a nanosleep or a barrier makes it look
  // again.
  kRereadWeakLoad,
  // Lanes of a warp wait for others that do not wait for them: undefined, and no matter of other
  // work. The kernel may come to no end while it is counted.
  kOtherLanes,
  // Code that cannot be decoded, or calls what cannot be found: it may wait.
  kUnreadable,
};
inline constexpr WaitingSign kAllWaitingSigns[] = {
    WaitingSign::kStrongLoad, WaitingSign::kReturningAtomic, WaitingSign::kFence,
    WaitingSign::kNanosleep,  WaitingSign::kRereadWeakLoad,  WaitingSign::kOtherLanes,
    WaitingSign::kUnreadable};

// "strong load", "returning atomic", "fence", "nanosleep", "weak load read again", "mask of other
// lanes", "unreadable".
std::string_view ToString(WaitingSign sign);

class WaitingSigns {
 public:
  constexpr WaitingSigns() = default;
  constexpr WaitingSigns(std::initializer_list<WaitingSign> signs) {
    for (const WaitingSign sign : signs) Add(sign);
  }

  constexpr bool Has(WaitingSign sign) const { return (bits_ & Bit(sign)) != 0; }
  constexpr bool any() const { return bits_ != 0; }
  constexpr void Add(WaitingSign sign) { bits_ |= Bit(sign); }
  constexpr void Add(WaitingSigns others) { bits_ |= others.bits_; }
  friend constexpr bool operator==(WaitingSigns, WaitingSigns) = default;

 private:
  static constexpr std::uint8_t Bit(WaitingSign sign) {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(sign));
  }
  std::uint8_t bits_ = 0;
};

// The signs of `kernel` (mangled) and of the device functions it may call. `cubin` is the whole
// image; only its headers, symbols and the code in question are read. Bytes that are not a cubin,
// an unknown kernel and an unknown architecture are kUnreadable.
WaitingSigns FindWaitingSigns(std::string_view cubin, std::string_view kernel);

class CodeImage;

// The same for many kernels of one cubin, which is read once. The work is bounded by its size;
// beyond the bound kernels are kUnreadable.
class WaitingSignFinder {
 public:
  // `cubin` must outlive it.
  explicit WaitingSignFinder(std::string_view cubin);
  ~WaitingSignFinder();
  WaitingSignFinder(const WaitingSignFinder&) = delete;
  WaitingSignFinder& operator=(const WaitingSignFinder&) = delete;

  WaitingSigns Find(std::string_view kernel);

 private:
  std::unique_ptr<const CodeImage> image_;  // null where it is no cubin
  std::uint64_t work_left_ = 0;             // for all kernels together
};

}  // namespace coalcheck::machine_code
