// SPDX-License-Identifier: Apache-2.0
//
// A thin wrapper, so that the library's headers stay here.
#include "libcoalcheck/base/running_hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace coalcheck {

struct RunningHash::State {
  XXH3_state_t xxh;
};

RunningHash::RunningHash() : state_(std::make_unique<State>()) { XXH3_64bits_reset(&state_->xxh); }
RunningHash::~RunningHash() = default;

void RunningHash::Add(std::string_view bytes) noexcept {
  XXH3_64bits_update(&state_->xxh, bytes.data(), bytes.size());
}

std::uint64_t RunningHash::value() const noexcept { return XXH3_64bits_digest(&state_->xxh); }

}  // namespace coalcheck
