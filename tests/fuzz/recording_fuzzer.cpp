// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a recording: read without a crash, and what was read writes back as valid lines that
// read the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "libcoalcheck/recording/json_line.h"
#include "libcoalcheck/recording/reader.h"

namespace {

using namespace coalcheck::recording;

template <typename Records>
void AppendLines(const Records& records, std::string& lines) {
  for (const auto& record : records) lines += ToJsonLine(record);
}

std::string WriteAgain(const RecordedRun& run) {
  std::string lines = ToJsonLine(run.header);
  AppendLines(run.devices, lines);
  AppendLines(run.modules, lines);
  AppendLines(run.windows, lines);
  AppendLines(run.tallies, lines);
  AppendLines(run.losses, lines);
  if (run.end) lines += ToJsonLine(*run.end);
  return lines;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto run = ParseRecords({reinterpret_cast<const char*>(data), size});
  if (!run.ok()) return 0;
  const std::string written = WriteAgain(*run);
  const auto again = ParseRecords(written);
  if (!again.ok() || !again->lost_lines.empty() || WriteAgain(*again) != written) std::abort();
  return 0;
}
