// SPDX-License-Identifier: Apache-2.0
//
// Puts one JSON object together, for the lines of a recording.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libcoalcheck/recording/json_text.h"
#include "libcoalcheck/recording/records.h"

namespace coalcheck::recording {

// Appends members and elements to `line` with the commas between them.
class LineBuilder {
 public:
  explicit LineBuilder(std::string_view record) {
    line_.reserve(256);
    line_ += '{';
    Text("record", record);
  }

  LineBuilder& Key(std::string_view key) {
    Separate();
    AppendJsonString(line_, key);
    line_ += ':';
    return *this;
  }
  void TextValue(std::string_view value) {
    Separate();
    AppendJsonString(line_, value);
  }
  void NumberValue(std::uint64_t value) {
    Separate();
    const fmt::format_int digits(value);
    line_.append(digits.data(), digits.size());
  }
  void NullValue() { line_ += "null"; }
  void TrueValue() { line_ += "true"; }
  void RealValue(double value) {
    fmt::format_to(std::back_inserter(line_), "{}", std::isfinite(value) ? value : 0.0);
  }
  void Text(std::string_view key, std::string_view value) { Key(key).TextValue(value); }
  void Number(std::string_view key, std::uint64_t value) { Key(key).NumberValue(value); }

  void Open(char bracket) {
    Separate();
    line_ += bracket;
  }
  void Close(char bracket) { line_ += bracket; }

  std::string Finish() && {
    line_ += "}\n";
    return std::move(line_);
  }

 private:
  void Separate() {
    const char last = line_.back();
    if (last != '{' && last != '[' && last != ':') line_ += ',';
  }

  std::string line_;
};

inline void AppendTexts(LineBuilder& line, std::string_view key,
                        const std::vector<std::string>& texts) {
  line.Key(key).Open('[');
  for (const std::string& text : texts) line.TextValue(text);
  line.Close(']');
}

inline void AppendDim3(LineBuilder& line, std::string_view key, const Dim3& dim) {
  line.Key(key).Open('[');
  line.NumberValue(dim.x);
  line.NumberValue(dim.y);
  line.NumberValue(dim.z);
  line.Close(']');
}

// What is not known is left out.
inline void AppendJobMembership(LineBuilder& line, const JobMembership& job) {
  if (job.rank) line.Number("rank", *job.rank);
  if (job.local_rank) line.Number("local_rank", *job.local_rank);
  if (job.world_size) line.Number("world_size", *job.world_size);
  if (!job.id.empty()) line.Text("job", job.id);
}

// Stretches of ranks, both ends in them.
inline void AppendRanks(LineBuilder& line, const RankSet& ranks) {
  line.Key("ranks").Open('[');
  for (const RankSet::Span& span : ranks.spans()) {
    line.Open('[');
    line.NumberValue(span.first);
    line.NumberValue(span.last);
    line.Close(']');
  }
  line.Close(']');
}

}  // namespace coalcheck::recording
