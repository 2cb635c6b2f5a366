// SPDX-License-Identifier: Apache-2.0
//
// The checks a line must pass before a JSON parser sees it.
#include "libcoalcheck/recording/lines.h"

#include "libcoalcheck/recording/json_line.h"
#include "libcoalcheck/recording/parse_json.h"
#include "libcoalcheck/recording/reader.h"

namespace coalcheck::recording {
namespace {

// Counts brackets outside strings, so that no deep value is ever built.
bool IsTooDeep(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string) {
      if (c == '\\') ++at;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMaxDepth) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

}  // namespace

bool IsBlank(std::string_view text) {
  return text.find_first_not_of(" \t\r") == std::string_view::npos;
}

ParsedLine ParseLine(const Line& line) {
  if (line.text.size() > kMaxLineBytes) return {{}, LineLoss::kTooLong};
  if (IsTooDeep(line.text)) return {{}, LineLoss::kTooDeep};
  ParsedLine parsed{ParseJson(line.text), {}};
  if (!parsed.json.IsObject()) {
    parsed.loss = line.ended ? LineLoss::kNotJson : LineLoss::kCutShort;
  }
  return parsed;
}

}  // namespace coalcheck::recording
