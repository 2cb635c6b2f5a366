// SPDX-License-Identifier: Apache-2.0
//
// The lines of a file, and one of them as JSON, refused before parsing when it is dangerous.
#pragma once

#include <rapidjson/document.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "libcoalcheck/recording/recorded_run.h"

namespace coalcheck::recording {

struct Line {
  std::string_view text;
  std::uint64_t number = 0;  // 1-based
  bool ended = true;         // by a '\n'
};

// Calls `each` with every line until it returns false.
template <typename Each>
void ForEachLine(std::string_view bytes, Each each) {
  Line line;
  for (std::size_t start = 0; start < bytes.size();) {
    const std::size_t end = bytes.find('\n', start);
    line.ended = end != std::string_view::npos;
    line.text = bytes.substr(start, line.ended ? end - start : std::string_view::npos);
    ++line.number;
    if (!each(line) || !line.ended) return;
    start = end + 1;
  }
}

bool IsBlank(std::string_view text);

// A line's JSON object, or why it has none.
struct ParsedLine {
  rapidjson::Document json;
  std::optional<LineLoss> loss;
};
ParsedLine ParseLine(const Line& line);

}  // namespace coalcheck::recording
