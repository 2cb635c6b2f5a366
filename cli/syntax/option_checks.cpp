// SPDX-License-Identifier: Apache-2.0
//
// One sentence for each kind of value: "takes text or json, not 'xml'".
#include "cli/syntax/option_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/base/repository.h"
#include "libcoalcheck/policy/date.h"

namespace coalcheck::cli {

namespace fs = std::filesystem;

Check OneOf(std::vector<std::string> accepted) {
  return [accepted = std::move(accepted)](const std::string& text) {
    const bool known = std::ranges::find(accepted, text) != accepted.end();
    return known ? std::string()
                 : fmt::format("takes {}, not '{}'", fmt::join(accepted, " or "), text);
  };
}

std::string RefuseAllButPercent(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const bool is_number = !text.empty() && *end == '\0';
  // Nothing wastes more than NaN.
  if (is_number && value >= 0 && value <= 100) return {};
  return fmt::format("takes a number from 0 to 100, not '{}'", text);
}

std::string RefuseAllButCount(const std::string& text) {
  std::size_t value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec == std::errc() && parsed.ptr == end) return {};
  return fmt::format("takes a whole number, 0 or more, not '{}'", text);
}

std::string RefuseAllButAmount(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const bool is_number = !text.empty() && *end == '\0';
  if (is_number && value >= 0 && value <= 1e18) return {};
  return fmt::format("takes a number, 0 or more, not '{}'", text);
}

std::string RefuseAllButDay(const std::string& text) {
  return policy::DateFromText(text) ? std::string()
                                    : fmt::format("takes a day, YYYY-MM-DD, not '{}'", text);
}

namespace {

// Whoever wrote the repository could have any file quoted.
std::string RefuseLeadingOut(const std::string& folder) {
  const std::string why = WhyOutOfRepository(folder);
  return why.empty() ? why : fmt::format("'{}': {}; name that folder itself", folder, why);
}

}  // namespace

std::string RefuseAllButFolder(const std::string& text) {
  std::error_code error;
  if (!fs::is_directory(text, error)) return fmt::format("'{}' is no folder", text);
  return RefuseLeadingOut(text);
}

std::string RefuseAllButMapping(const std::string& text) {
  const std::size_t equals = text.find('=');
  const bool good = equals != std::string::npos && equals > 0;
  if (!good) return fmt::format("takes OLD=NEW, not '{}'", text);
  return RefuseLeadingOut(text.substr(equals + 1));
}

Check WholeNumber(unsigned least, unsigned most, std::string of) {
  return [least, most, of = std::move(of)](const std::string& text) {
    unsigned value = 0;
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, value);
    const bool good =
        parsed.ec == std::errc() && parsed.ptr == end && value >= least && value <= most;
    return good ? std::string()
                : fmt::format("takes a whole number{} from {} to {}, not '{}'", of, least, most,
                              text);
  };
}

std::string RefuseAllButArchitecture(const std::string& text) {
  if (ArchitectureIn(text) != 0) return {};
  return fmt::format("takes an architecture, as sm_90, not '{}'", text);
}

std::uint32_t ArchitectureIn(const std::string& text) {
  constexpr std::string_view kPrefix = "sm_";
  if (!text.starts_with(kPrefix)) return 0;
  std::uint32_t sm = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data() + kPrefix.size(), end, sm);
  return parsed.ec == std::errc() && parsed.ptr == end ? sm : 0;
}

}  // namespace coalcheck::cli
