// SPDX-License-Identifier: Apache-2.0
//
// A first line as a range filter, the others as open ranges: no crash, an end, an error that is
// said, and what is read matches as its text does when read again.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "libcoalcheck/selection/kernel_pattern.h"
#include "libcoalcheck/selection/range_filter.h"
#include "tests/fuzz/require.h"

namespace {

using namespace coalcheck;
using namespace coalcheck::selection;

std::string_view TakeLine(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(line.size() < text.size() ? line.size() + 1 : text.size());
  return line;
}

// "name", "domain name" or "!domain name" for a start/end range.
std::vector<OpenRange> ReadRanges(std::string_view text) {
  std::vector<OpenRange> open;
  while (!text.empty()) {
    std::string_view line = TakeLine(text);
    const bool is_start_end = line.starts_with('!');
    if (is_start_end) line.remove_prefix(1);
    const std::size_t space = line.find(' ');
    const bool has_domain = space != std::string_view::npos;
    open.push_back({std::string(has_domain ? line.substr(0, space) : ""),
                    std::string(has_domain ? line.substr(space + 1) : line),
                    is_start_end ? RangeKind::kStartEnd : RangeKind::kPushPop});
  }
  return open;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const std::string_view text = TakeLine(rest);
  const std::vector<OpenRange> open = ReadRanges(rest);
  const Result<KernelPattern> pattern = KernelPattern::Parse(text);
  if (pattern.ok()) pattern.value().Matches(rest);
  const Result<RangeFilter> filter = RangeFilter::Parse(text);
  if (!filter.ok()) {
    Require(!filter.error().empty());
    return 0;
  }
  const bool matches = filter.value().Matches(open);
  Require(!matches || !open.empty());
  const Result<RangeFilter> again = RangeFilter::Parse(filter.value().text());
  Require(again.ok() && again.value().Matches(open) == matches);
  return 0;
}
