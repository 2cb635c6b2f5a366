// SPDX-License-Identifier: Apache-2.0
//
// One record as one line of records.jsonl; docs/recording-format.md names every field.
#pragma once

#include <cstddef>
#include <string>

#include "libcoalcheck/recording/records.h"

namespace coalcheck::recording {

// The longest line a reader accepts and the writer writes. A window takes some 80 bytes for each
// instruction that was executed.
inline constexpr std::size_t kMaxLineBytes = std::size_t{16} << 20;

// A complete JSON object and a '\n'. Strings may hold any bytes (json_text.h). Empty only when
// memory ran out. Takes each alternative of Record, which converts.
std::string ToJsonLine(const Record& record) noexcept;
// The same for the largest record, without copying it into a Record.
std::string ToJsonLine(const Window& window) noexcept;

}  // namespace coalcheck::recording
