// SPDX-License-Identifier: Apache-2.0
//
// Draws the lanes above, the touched lines of four sectors each below, and a line from each lane to
// its sectors. The requested part of a touched sector is filled.
#include "libcoalcheck/output/html/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>

#include "libcoalcheck/findings/words/pattern_words.h"
#include "libcoalcheck/findings/words/words.h"

namespace coalcheck::output {
namespace {

using patterns::Candidate;
using sectors::WarpRequest;

constexpr std::uint64_t kSector = kSectorSize.count();
constexpr std::uint64_t kLine = kCacheLineSize.count();
constexpr std::uint64_t kSectorsOfLine = kLine / kSector;
constexpr double kWide = 800;
constexpr double kLaneTop = 22;
constexpr double kLaneSide = 12;
constexpr double kCellTop = 78;
constexpr double kCellHeight = 26;
constexpr double kWidestCell = 22;
constexpr double kGap = 4;

// Above it the picture of a step is the same, and addresses stay small.
constexpr std::uint64_t kLargestStep = 1 << 20;

// `active` of 32, evenly spread.
std::uint32_t SpreadMask(std::uint64_t active) {
  std::uint32_t mask = 0;
  for (std::uint64_t lane = 0; lane < kWarpSize; ++lane) {
    if ((lane + 1) * active / kWarpSize != lane * active / kWarpSize) mask |= 1U << lane;
  }
  return mask;
}

bool IsActive(const WarpRequest& request, std::uint32_t lane) {
  return (request.active >> lane & 1U) != 0;
}

// Where each touched line is drawn, and how wide a sector is.
class Layout {
 public:
  explicit Layout(const WarpRequest& request) {
    std::set<std::uint64_t> lines;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      if (!IsActive(request, lane)) continue;
      const std::uint64_t first = request.address[lane];
      for (std::uint64_t line = first / kLine; line <= (first + request.width - 1) / kLine;
           ++line) {
        lines.insert(line);
      }
    }
    const auto count = static_cast<double>(lines.size());
    cell_ = std::min(kWidestCell, (kWide - 16 - count * kGap) / (count * kSectorsOfLine));
    double x = (kWide - count * (cell_ * kSectorsOfLine + kGap) + kGap) / 2;
    for (const std::uint64_t line : lines) {
      left_[line] = x;
      x += cell_ * kSectorsOfLine + kGap;
    }
  }

  const std::map<std::uint64_t, double>& lines() const { return left_; }
  double cell() const { return cell_; }
  double XOf(std::uint64_t address) const {
    return left_.at(address / kLine) +
           static_cast<double>(address % kLine) / static_cast<double>(kSector) * cell_;
  }

 private:
  std::map<std::uint64_t, double> left_;
  double cell_ = 0;
};

double LaneX(std::uint32_t lane) { return 12.5 + 25.0 * lane; }

std::string Rect(std::string_view style, double x, double y, double width, double height) {
  return fmt::format(R"(<rect class="{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>)",
                     style, x, y, width, height);
}

std::string DrawLanes(const WarpRequest& request, const Layout& layout) {
  std::string svg;
  std::string ways;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const double x = LaneX(lane);
    const bool active = IsActive(request, lane);
    svg += Rect(active ? "lane" : "off", x - kLaneSide / 2, kLaneTop, kLaneSide, kLaneSide);
    if (!active) continue;
    // The middle of what the lane asks for, as far as that lies in its first sector.
    const std::uint64_t first = request.address[lane];
    const std::uint64_t in_sector =
        std::min<std::uint64_t>(request.width, kSector - first % kSector);
    ways += fmt::format("M{:.1f} {:.0f}L{:.1f} {:.0f}", x, kLaneTop + kLaneSide,
                        layout.XOf(first) + static_cast<double>(in_sector) /
                                                static_cast<double>(2 * kSector) * layout.cell(),
                        kCellTop);
  }
  return fmt::format(R"(<path class="way" d="{}"/>)", ways) + svg;
}

// The bytes that any lane asks for, by sector.
std::map<std::uint64_t, std::uint64_t> UsedBytes(const WarpRequest& request) {
  std::set<std::uint64_t> bytes;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    for (std::uint32_t i = 0; IsActive(request, lane) && i < request.width; ++i) {
      bytes.insert(request.address[lane] + i);
    }
  }
  std::map<std::uint64_t, std::uint64_t> used;
  for (const std::uint64_t byte : bytes) ++used[byte / kSector];
  return used;
}

std::string DrawLines(const WarpRequest& request, const Layout& layout) {
  const std::map<std::uint64_t, std::uint64_t> used = UsedBytes(request);
  std::string svg;
  for (const auto& [line, left] : layout.lines()) {
    for (std::uint64_t i = 0; i < kSectorsOfLine; ++i) {
      const double x = left + static_cast<double>(i) * layout.cell();
      const auto found = used.find(line * kSectorsOfLine + i);
      const bool touched = found != used.end();
      svg += Rect(touched ? "touched" : "cell", x + .5, kCellTop, layout.cell() - 1, kCellHeight);
      if (!touched) continue;
      const double height =
          kCellHeight * static_cast<double>(found->second) / static_cast<double>(kSector);
      svg += Rect("used", x + .5, kCellTop + kCellHeight - height, layout.cell() - 1, height);
    }
    svg += Rect("frame", left, kCellTop - 1, layout.cell() * kSectorsOfLine, kCellHeight + 2);
  }
  return svg;
}

std::uint64_t ExampleOf(const patterns::ParameterRange& range) {
  const std::uint64_t low = std::clamp<std::uint64_t>(range.low, 1, kLargestStep);
  const std::uint64_t round = std::bit_ceil(low);
  return range.Contains(round) ? round : low;
}

}  // namespace

std::optional<WarpRequest> ExampleRequest(const Candidate& candidate, Bytes width, Lanes active) {
  const auto example = patterns::DescriptorOf(candidate.pattern).example;
  const std::uint64_t bytes = width.count();
  if (example == nullptr || bytes == 0 || bytes > 16 || active == Lanes(0)) return std::nullopt;
  const std::uint64_t parameter = ExampleOf(candidate.parameter);
  WarpRequest request;
  request.width = static_cast<std::uint32_t>(bytes);
  request.active = SpreadMask(std::min<std::uint64_t>(active.count(), kWarpSize));
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    request.address[lane] = example({lane, parameter, bytes});
  }
  return request;
}

Lanes ActiveOf(const patterns::Share& share) {
  const double lanes = Per(share.counts.lanes, share.counts.requests);
  if (share.counts.requests == Requests(0) || lanes < 1) return Lanes(kWarpSize);
  return Lanes(std::min<std::uint64_t>(kWarpSize, static_cast<std::uint64_t>(std::lround(lanes))));
}

std::optional<Picture> DrawPattern(const Candidate& candidate, Bytes width, Lanes active) {
  const std::optional<WarpRequest> request = ExampleRequest(candidate, width, active);
  if (!request) return std::nullopt;
  const sectors::RequestCounts counts = sectors::Count(*request);
  const Layout layout(*request);
  Picture picture;
  picture.label = fmt::format(
      "An example of {}: {} of {} touch {} in {}, where {} would do", words::Patterns({candidate}),
      words::Count(counts.lanes.count(), "lane", "lanes"),
      words::Count(request->width, "byte", "bytes"),
      words::Count(counts.sectors.count(), "sector", "sectors"),
      words::Count(counts.lines.count(), "line", "lines"), counts.ideal_sectors.count());
  picture.svg =
      R"(<text class="note" x="6" y="14">lane 0</text>)"
      R"(<text class="note" x="794" y="14" text-anchor="end">lane 31</text>)" +
      DrawLanes(*request, layout) + DrawLines(*request, layout) +
      fmt::format(R"(<text class="note" x="400" y="122" text-anchor="middle">{}, {}</text>)",
                  words::Count(counts.sectors.count(), "sector of 32 bytes touched",
                               "sectors of 32 bytes touched"),
                  words::Count(counts.lines.count(), "line of 128", "lines of 128"));
  return picture;
}

}  // namespace coalcheck::output
