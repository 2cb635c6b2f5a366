// SPDX-License-Identifier: Apache-2.0
//
// Reads /proc.
#include "cli/doctor/machine_files.h"

#include <sys/auxv.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <sstream>

#include "cli/base/foreign_file.h"
#include "libcoalcheck/base/trimmed.h"

namespace coalcheck::cli::doctor {
namespace {

constexpr int kMostAncestors = 32;

constexpr std::uint64_t kMostOfAFile = 1 << 20;

std::string ReadFile(const std::string& path) { return ReadStart(path, kMostOfAFile); }

// The value of the line "name: value"; empty when there is none.
std::string Field(const std::string& path, std::string_view name) {
  std::istringstream lines(ReadFile(path));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos && Trimmed(line.substr(0, colon)) == name) {
      return std::string(Trimmed(line.substr(colon + 1)));
    }
  }
  return {};
}

template <typename Number>
std::optional<Number> ToNumber(const std::string& text, int base) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Whether a word is a release: "580.159.04" is one; "x86_64" and words with other signs are not.
bool IsRelease(const std::string& word) {
  return std::ranges::count(word, '.') >= 1 &&
         std::ranges::all_of(word, [](unsigned char c) { return std::isdigit(c) || c == '.'; }) &&
         std::isdigit(static_cast<unsigned char>(word.front())) != 0;
}

bool Exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

std::string CommandOf(const std::string& root, const std::string& pid) {
  return std::string(Trimmed(ReadFile(root + "/proc/" + pid + "/comm")));
}

}  // namespace

coalcheck::doctor::PermissionFacts ReadPermissions(const std::string& root) {
  coalcheck::doctor::PermissionFacts facts;
  const std::string admin = Field(root + "/proc/driver/nvidia/params", "RmProfilingAdminOnly");
  if (const auto value = ToNumber<unsigned>(admin, 10)) facts.admin_only = *value != 0;
  facts.effective_capabilities =
      ToNumber<std::uint64_t>(Field(root + "/proc/self/status", "CapEff"), 16);
  facts.raised_rights = getauxval(AT_SECURE) != 0;
  return facts;
}

std::string ReadDriverRelease(const std::string& root) {
  std::istringstream words(Field(root + "/proc/driver/nvidia/version", "NVRM version"));
  for (std::string word; words >> word;) {
    if (IsRelease(word)) return word;
  }
  return {};
}

bool IsInContainer(const std::string& root) {
  if (Exists(root + "/.dockerenv") || Exists(root + "/run/.containerenv")) return true;
  const std::string groups = ReadFile(root + "/proc/self/cgroup");
  return std::ranges::any_of(
      std::to_array<std::string_view>({"/docker", "containerd", "kubepods", "libpod", "/lxc"}),
      [&](std::string_view mark) { return groups.find(mark) != std::string::npos; });
}

bool IsInWsl(const std::string& root) {
  if (Exists(root + "/dev/dxg")) return true;
  std::string kernel = ReadFile(root + "/proc/sys/kernel/osrelease");
  std::ranges::transform(kernel, kernel.begin(), [](unsigned char c) { return std::tolower(c); });
  return kernel.find("microsoft") != std::string::npos;
}

std::vector<std::string> ReadAncestors(const std::string& root) {
  std::vector<std::string> names;
  std::string pid = "self";
  for (int i = 0; i < kMostAncestors; ++i) {
    pid = Field(root + "/proc/" + pid + "/status", "PPid");
    if (!ToNumber<std::uint32_t>(pid, 10) || pid == "0") break;
    names.push_back(CommandOf(root, pid));
  }
  return names;
}

std::string ReadTracer(const std::string& root) {
  const std::string pid = Field(root + "/proc/self/status", "TracerPid");
  return ToNumber<std::uint32_t>(pid, 10).value_or(0) == 0 ? std::string() : CommandOf(root, pid);
}

}  // namespace coalcheck::cli::doctor
