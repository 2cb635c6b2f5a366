// SPDX-License-Identifier: Apache-2.0
//
// Lays values at their parameters' places, and names those that fit none.
#include "libcoalcheck/prediction/launch_arguments.h"

#include <absl/strings/str_join.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

namespace coalcheck::prediction {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 16U;

std::size_t BytesOf(const ptx::Function& function) {
  std::size_t size = 0;
  for (const ptx::Parameter& one : function.parameters) {
    size = std::max<std::size_t>(size, one.offset + one.bytes);
  }
  return std::min(size, kMostBytes);
}

class Arguments {
 public:
  Arguments(const ptx::Function& function, const std::vector<std::string>& names)
      : function_(function), names_(names) {}

  void TakeRecorded(const KnownLaunch& launch) {
    const std::size_t size = BytesOf(function_);
    if (launch.arguments.empty()) return;
    if (launch.argument_bytes != size) {
      result_.problems.push_back(fmt::format(
          "it has {} bytes of arguments, and the kernel takes {}: those of another build "
          "were left out",
          launch.argument_bytes, size));
      return;
    }
    result_.bytes = launch.arguments;
    result_.known.assign(result_.bytes.size(), '\1');
  }

  void TakeByHand(const KnownLaunch& launch) {
    for (const auto& [number, value] : launch.by_number) {
      if (number < function_.parameters.size()) {
        Set(number, value, fmt::format("arg{}", number + 1));
      } else {
        result_.problems.push_back(
            fmt::format("arg{}: it has {} parameters", number + 1, function_.parameters.size()));
      }
    }
    for (const auto& [name, value] : launch.by_name) {
      const auto found = std::ranges::find(names_, name);
      if (found != names_.end()) {
        Set(static_cast<std::size_t>(found - names_.begin()), value, name);
      } else if (names_.empty()) {
        result_.problems.push_back(fmt::format(
            "{}: the names of its parameters are not known, as its source is not here or "
            "not as it was compiled (--same-sources); arg1=… to arg{}=… do",
            name, function_.parameters.size()));
      } else {
        result_.problems.push_back(
            fmt::format("{}: it has no such parameter, but {}", name, absl::StrJoin(names_, ", ")));
      }
    }
  }

  KnownArguments Result() && { return std::move(result_); }

 private:
  void Set(std::size_t number, std::int64_t value, const std::string& called) {
    const ptx::Parameter& one = function_.parameters[number];
    const std::size_t end = std::size_t{one.offset} + one.bytes;
    if (one.bytes > sizeof(value) || end > kMostBytes || one.type.IsFloat()) {
      result_.problems.push_back(fmt::format("{}: that parameter is no whole number", called));
      return;
    }
    if (!Fits(value, one.bytes)) {
      result_.problems.push_back(
          fmt::format("{}: {} does not fit into its {} bytes", called, value, one.bytes));
      return;
    }
    const std::size_t size = std::max(BytesOf(function_), result_.bytes.size());
    result_.bytes.resize(size, '\0');
    result_.known.resize(size, '\0');
    std::memcpy(result_.bytes.data() + one.offset, &value, one.bytes);
    std::fill_n(result_.known.begin() + one.offset, one.bytes, '\1');
  }

  // As a signed or as an unsigned number.
  static bool Fits(std::int64_t value, std::uint32_t bytes) {
    if (bytes >= sizeof(value)) return true;
    const std::int64_t limit = std::int64_t{1} << (8 * bytes);
    return value < limit && value >= -limit / 2;
  }

  const ptx::Function& function_;
  const std::vector<std::string>& names_;
  KnownArguments result_;
};

}  // namespace

KnownArguments ArgumentsOf(const KnownLaunch& launch, const ptx::Function& function,
                           const std::vector<std::string>& names) {
  Arguments arguments(function, names);
  arguments.TakeRecorded(launch);
  arguments.TakeByHand(launch);
  return std::move(arguments).Result();
}

}  // namespace coalcheck::prediction
