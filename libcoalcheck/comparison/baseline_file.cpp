// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes the file's lines: columns with tabs between them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <system_error>
#include <tuple>
#include <utility>

#include "libcoalcheck/comparison/baseline.h"
#include "libcoalcheck/findings/words/words.h"

namespace coalcheck::comparison {
namespace {

constexpr std::string_view kFirstLine = "# coalcheck baseline 1";
constexpr std::string_view kHeading =
    "# fingerprint\twasted sectors per request\twasted %\taccess\tfile\tkernel\tline\n";
constexpr std::string_view kPredicted = "# of a prediction";  // a line of its own
constexpr std::string_view kUnknown = "-";
constexpr std::size_t kColumns = 7;
constexpr std::size_t kMostFindings = 400'000;
constexpr double kMostPerRequest = 1e6;  // a request touches at most some hundred sectors

std::string Column(std::string_view text) {
  return text.empty() ? std::string(kUnknown) : words::Printable(text);
}

std::string Text(std::string_view column) {
  return column == kUnknown ? std::string() : std::string(column);
}

std::string LineOf(const KnownFinding& known) {
  const auto& per_request = known.waste.sectors_per_request;
  return fmt::format("{}\t{}\t{:.6g}\t{}\t{}\t{}\t{}\n", ToHex(known.fingerprint),
                     per_request ? fmt::format("{:.6g}", *per_request) : std::string(kUnknown),
                     known.waste.share * 100, Column(known.kind), Column(known.path),
                     Column(known.kernel), Column(known.text));
}

std::optional<double> NumberUpTo(double most, std::string_view text) {
  double value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool good = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() &&
                    value >= 0 && value <= most;
  return good ? std::optional(value) : std::nullopt;
}

std::optional<std::array<std::string_view, kColumns>> Split(std::string_view line) {
  std::array<std::string_view, kColumns> columns;
  for (std::size_t i = 0; i < kColumns; ++i) {
    const std::size_t end = line.find('\t');
    if ((end == std::string_view::npos) != (i + 1 == kColumns)) return std::nullopt;
    columns[i] = line.substr(0, end);
    line.remove_prefix(std::min(columns[i].size() + 1, line.size()));
  }
  return columns;
}

std::string_view TakeLine(std::string_view& bytes) {
  std::string_view line = bytes.substr(0, bytes.find('\n'));
  bytes.remove_prefix(std::min(line.size() + 1, bytes.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

Result<KnownFinding> ReadLine(std::string_view line) {
  const auto columns = Split(line);
  if (!columns) return Error{fmt::format("has not {} columns apart by tabs", kColumns)};
  const auto& [fingerprint, per_request, share, kind, path, kernel, text] = *columns;
  KnownFinding known{{}, {}, std::string(kind), Text(path), Text(kernel), Text(text)};
  const auto read = FingerprintFromHex(fingerprint);
  if (!read) return Error{"begins with no fingerprint (sixteen hexadecimal digits)"};
  known.fingerprint = *read;
  if (per_request != kUnknown) {
    known.waste.sectors_per_request = NumberUpTo(kMostPerRequest, per_request);
    if (!known.waste.sectors_per_request) {
      return Error{fmt::format("wastes '{}' sectors per request", words::Printable(per_request))};
    }
  }
  const auto percent = NumberUpTo(100, share);
  if (!percent) return Error{fmt::format("wastes '{}' percent", words::Printable(share))};
  known.waste.share = *percent / 100;
  return known;
}

}  // namespace

std::string WriteBaseline(Baseline baseline) {
  std::ranges::sort(baseline.findings, std::less(), [](const KnownFinding& known) {
    return std::tie(known.path, known.kernel, known.kind, known.text, known.fingerprint);
  });
  std::string file = fmt::format("{}\n", kFirstLine);
  if (baseline.is_predicted) file += fmt::format("{}\n", kPredicted);
  file += kHeading;
  for (const KnownFinding& known : baseline.findings) file += LineOf(known);
  return file;
}

bool BeginsAsBaseline(std::string_view bytes) { return TakeLine(bytes) == kFirstLine; }

Result<Baseline> ReadBaseline(std::string_view bytes, std::string_view name) {
  Baseline baseline;
  std::map<Fingerprint, std::size_t> seen;
  for (std::size_t number = 1; number == 1 || !bytes.empty(); ++number) {
    const std::string_view line = TakeLine(bytes);
    if (number == 1 && line != kFirstLine) {
      return Error{fmt::format("{}: the first line is not '{}'", name, kFirstLine)};
    }
    baseline.is_predicted = baseline.is_predicted || line == kPredicted;
    if (line.empty() || line.starts_with('#')) continue;
    Result<KnownFinding> known = ReadLine(line);
    if (!known.ok()) return Error{fmt::format("{}:{}: {}", name, number, known.error())};
    const auto [earlier, fresh] = seen.try_emplace(known.value().fingerprint, number);
    if (!fresh) {
      return Error{
          fmt::format("{}:{}: has the fingerprint of line {}", name, number, earlier->second)};
    }
    if (baseline.findings.size() == kMostFindings) {
      return Error{fmt::format("{}:{}: has more than {} findings", name, number, kMostFindings)};
    }
    baseline.findings.push_back(std::move(known).value());
  }
  return baseline;
}

}  // namespace coalcheck::comparison
