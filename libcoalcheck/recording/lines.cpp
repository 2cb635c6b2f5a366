// SPDX-License-Identifier: Apache-2.0
//
// The checks a line must pass before a JSON parser sees it.
#include "libcoalcheck/recording/lines.h"

#include "libcoalcheck/recording/json_line.h"
#include "libcoalcheck/recording/parse_json.h"
#include "libcoalcheck/recording/reader.h"

namespace coalcheck::recording {

bool IsBlank(std::string_view text) {
  return text.find_first_not_of(" \t\r") == std::string_view::npos;
}

ParsedLine ParseLine(const Line& line) {
  if (line.text.size() > kMaxLineBytes) return {{}, LineLoss::kTooLong};
  if (SizeOfJson(line.text).depth > kMaxDepth) return {{}, LineLoss::kTooDeep};
  ParsedLine parsed{ParseJson(line.text), {}};
  if (!parsed.json.IsObject()) {
    parsed.loss = line.ended ? LineLoss::kNotJson : LineLoss::kCutShort;
  }
  return parsed;
}

}  // namespace coalcheck::recording
