// SPDX-License-Identifier: Apache-2.0
//
// Takes from the two JSON formats what both have.
#include "tests/support/observed.h"

#include <absl/status/status.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace coalcheck::support {
namespace {

using Json = nlohmann::json;

std::string FromSamples(const std::string& file) {
  const std::size_t folder = file.rfind("samples/");
  return folder == std::string::npos ? file : file.substr(folder);
}

// "copy<2>" of "void copy<2>(float const*, float*)".
std::string KernelName(const std::string& demangled) {
  const std::string name = demangled.substr(0, demangled.find('('));
  int depth = 0;
  for (std::size_t i = name.size(); i > 0; --i) {
    const char c = name[i - 1];
    if (c == '>') ++depth;
    if (c == '<') --depth;
    if (c == ' ' && depth == 0) return name.substr(i);
  }
  return name;
}

ObservedAccess ReadAccess(const Json& json) {
  ObservedAccess access;
  if (!json.at("file").is_null()) {
    access.file = FromSamples(json.at("file").get<std::string>());
    access.line = json.at("line").get<std::uint32_t>();
  }
  access.kernel = KernelName(json.at("kernel").get<std::string>());
  access.kind = json.at("kind").get<std::string>();
  access.requests = json.at("requests").get<std::uint64_t>();
  access.lanes = json.at("lanes").get<std::uint64_t>();
  access.sectors = json.at("sectors").get<std::uint64_t>();
  access.ideal_sectors = json.at("ideal_sectors").get<std::uint64_t>();
  access.lines = json.at("lines").get<std::uint64_t>();
  return access;
}

std::string PatternOf(const Json& shares) {
  std::string pattern;
  for (const Json& share : shares) {
    if (!pattern.empty()) pattern += '/';
    pattern += share.at("class").get<std::string>();
  }
  return pattern;
}

template <typename Complete>
absl::StatusOr<std::vector<ObservedAccess>> ReadAll(std::string_view text, Complete complete) {
  std::vector<ObservedAccess> accesses;
  try {
    const Json document = Json::parse(text);
    for (const Json& json : document.at("accesses")) {
      accesses.push_back(ReadAccess(json));
      complete(json, accesses.back());
    }
  } catch (const Json::exception& error) {
    return absl::InvalidArgumentError(error.what());
  }
  return accesses;
}

}  // namespace

std::string ObservedAccess::Where() const {
  return fmt::format("{}:{}: {} in {}", file, line, kind, kernel);
}

absl::StatusOr<std::vector<ObservedAccess>> AccessesOfReport(std::string_view json) {
  return ReadAll(json, [](const Json& from, ObservedAccess& access) {
    access.is_finding = from.at("finding").get<bool>();
    access.launches_checked = from.at("launches_checked").get<std::uint64_t>();
    access.pattern = PatternOf(from.at("patterns"));
  });
}

absl::StatusOr<std::vector<ObservedAccess>> AccessesOfCount(std::string_view json) {
  return ReadAll(json, [](const Json&, ObservedAccess& access) {
    constexpr double kDefaultMinWastedShare = 0.1;
    const double wasted = static_cast<double>(access.sectors - access.ideal_sectors);
    access.launches_checked = 1;
    access.is_finding =
        wasted > 0 && wasted >= kDefaultMinWastedShare * static_cast<double>(access.sectors);
  });
}

}  // namespace coalcheck::support
