// SPDX-License-Identifier: Apache-2.0
//
// Lays values at their parameters' places, and names those that fit none.
#include "libcoalcheck/prediction/launch_arguments.h"

#include <absl/strings/str_join.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <variant>

namespace coalcheck::prediction {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 16U;

class Arguments {
 public:
  Arguments(const ptx::Function& function, const std::vector<std::string>& names)
      : function_(function), names_(names) {}

  void TakeRecorded(const KnownLaunch& launch) {
    const std::size_t size = BytesOfParameters(function_);
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
    std::map<std::size_t, Given> given;
    for (const auto& [number, value] : launch.by_number) {
      const std::string called = fmt::format("arg{}", number + 1);
      if (IsNameOfAnother(called, number)) continue;
      if (number < function_.parameters.size()) {
        given.emplace(number, Given{called, value});
      } else {
        Refuse(called, fmt::format("it has {} parameters", function_.parameters.size()));
      }
    }
    for (const auto& [name, value] : launch.by_name) {
      const auto found = std::ranges::find(names_, name);
      const auto number = static_cast<std::size_t>(found - names_.begin());
      if (names_.empty()) {
        Refuse(name, fmt::format(
                         "the names of its parameters are not known, as its source is not here or "
                         "not as it was compiled (--same-sources); arg1=… to arg{}=… do",
                         function_.parameters.size()));
      } else if (found == names_.end() || number >= function_.parameters.size()) {
        Refuse(name, "it has no such parameter, but " + absl::StrJoin(names_, ", "));
      } else if (const auto [other, is_new] = given.emplace(number, Given{name, value}); !is_new) {
        Refuse(name, "it was given as " + other->second.called + ", too: both were left out");
        other->second.is_twice = true;
      }
    }
    for (const auto& [number, one] : given) {
      if (!one.is_twice) Set(number, one);
    }
  }

  KnownArguments Result() && { return std::move(result_); }

 private:
  struct Given {
    std::string called;
    ArgumentValue value;
    bool is_twice = false;
  };

  void Refuse(const std::string& called, const std::string& why) {
    result_.problems.push_back(called + ": " + why);
  }

  // The source may call another parameter so.
  bool IsNameOfAnother(const std::string& called, std::size_t number) {
    const auto found = std::ranges::find(names_, called);
    const auto its = static_cast<std::size_t>(found - names_.begin());
    if (found == names_.end() || its == number) return false;
    Refuse(called, fmt::format("the source calls parameter {} so, which is arg{}: left out",
                               its + 1, its + 1));
    return true;
  }

  void Set(std::size_t number, const Given& given) {
    const ptx::Parameter& one = function_.parameters[number];
    const std::size_t end = std::size_t{one.offset} + one.bytes;
    const auto* whole = std::get_if<std::int64_t>(&given.value);
    if (one.bytes > sizeof(*whole) || end > kMostBytes || (one.type.IsFloat() && one.bytes < 4)) {
      return Refuse(given.called, "that parameter is no number of 1 to 8 bytes");
    }
    if (one.type.IsFloat()) return SetFloat(one, given);
    if (whole == nullptr) return Refuse(given.called, "that parameter is a whole number");
    if (!Fits(*whole, one.bytes)) {
      return Refuse(given.called,
                    fmt::format("{} does not fit into its {} bytes", *whole, one.bytes));
    }
    Keep(one, whole);
    result_.by_hand.push_back(fmt::format("{} = {}", given.called, *whole));
  }

  void SetFloat(const ptx::Parameter& one, const Given& given) {
    const double number =
        std::visit([](auto value) { return static_cast<double>(value); }, given.value);
    const auto rounded = static_cast<float>(number);
    if (one.bytes == sizeof(rounded) && !std::isfinite(rounded)) {
      return Refuse(given.called, fmt::format("{} does not fit into its 4 bytes", number));
    }
    one.bytes == sizeof(rounded) ? Keep(one, &rounded) : Keep(one, &number);
    result_.by_hand.push_back(fmt::format("{} = {}", given.called, number));
  }

  // `value`: as many bytes as the parameter has.
  void Keep(const ptx::Parameter& one, const void* value) {
    const std::size_t size = std::max(BytesOfParameters(function_), result_.bytes.size());
    result_.bytes.resize(size, '\0');
    result_.known.resize(size, '\0');
    std::memcpy(result_.bytes.data() + one.offset, value, one.bytes);
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

std::size_t BytesOfParameters(const ptx::Function& function) {
  std::size_t size = 0;
  for (const ptx::Parameter& one : function.parameters) {
    size = std::max<std::size_t>(size, one.offset + one.bytes);
  }
  return std::min(size, kMostBytes);
}

KnownArguments ArgumentsOf(const KnownLaunch& launch, const ptx::Function& function,
                           const std::vector<std::string>& names) {
  Arguments arguments(function, names);
  arguments.TakeRecorded(launch);
  arguments.TakeByHand(launch);
  return std::move(arguments).Result();
}

}  // namespace coalcheck::prediction
