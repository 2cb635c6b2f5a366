// SPDX-License-Identifier: Apache-2.0
//
// The command line that all samples share.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "samples/common/check.h"

namespace samples {

// What `--n` means to a sample and which values it takes.
struct Size {
  const char* meaning;           // "floats to copy"
  std::int64_t value;            // the default
  std::int64_t multiple_of = 1;  // so that every warp is full and counts are the same everywhere
  std::int64_t largest = std::int64_t{1} << 27;
};

struct Arguments {
  std::int64_t n = 0;
  std::int64_t launches = 5;
  bool count = false;
  bool csv = false;
  std::string kernel;  // empty: all

  bool Wants(std::string_view name) const { return kernel.empty() || kernel == name; }
};

// Reads the command line of one sample; on `--help` and on mistakes the program ends here.
class ArgumentParser {
 public:
  // `kernels` are the values of `--kernel`; without them there is no such option.
  ArgumentParser(const char* name, const char* summary, Size size, std::vector<std::string> kernels,
                 bool has_csv)
      : name_(name), summary_(summary), size_(size), kernels_(std::move(kernels)), csv_(has_csv) {}

  Arguments Parse(int argc, char** argv) const {
    Arguments arguments;
    arguments.n = size_.value;
    for (int i = 1; i < argc; ++i) {
      const std::string_view option = argv[i];
      const char* value = i + 1 < argc ? argv[i + 1] : nullptr;
      if (option == "--help") {
        PrintHelp(stdout);
        std::exit(kOk);
      } else if (option == "--count") {
        arguments.count = true;
      } else if (option == "--csv" && csv_) {
        arguments.csv = true;
      } else if (option == "--n") {
        arguments.n = Number(option, value, size_.multiple_of, size_.largest, size_.multiple_of);
        ++i;
      } else if (option == "--launches") {
        arguments.launches = Number(option, value, 1, 1000000, 1);
        ++i;
      } else if (option == "--kernel" && !kernels_.empty()) {
        arguments.kernel = Kernel(value);
        ++i;
      } else {
        Fail("unknown option " + std::string(option));
      }
    }
    return arguments;
  }

 private:
  void PrintHelp(std::FILE* out) const {
    std::fprintf(out, "%s: %s\n\n", name_, summary_);
    std::fprintf(out, "  --n N         %s (default %lld", size_.meaning,
                 static_cast<long long>(size_.value));
    if (size_.multiple_of > 1) {
      std::fprintf(out, ", a multiple of %lld", static_cast<long long>(size_.multiple_of));
    }
    std::fprintf(out, ")\n  --launches N  launches of each kernel (default 5)\n");
    if (!kernels_.empty()) {
      std::fprintf(out, "  --kernel K    run only one kernel:");
      for (const std::string& kernel : kernels_) std::fprintf(out, " %s", kernel.c_str());
      std::fprintf(out, "\n");
    }
    if (csv_) std::fprintf(out, "  --csv         print a table for programs\n");
    std::fprintf(out,
                 "  --count       without a GPU: count the requests and sectors of one launch of\n"
                 "                each kernel from the addresses its threads make, as JSON\n");
  }

  [[noreturn]] void Fail(const std::string& what) const {
    std::fprintf(stderr, "%s: %s\n", name_, what.c_str());
    PrintHelp(stderr);
    std::exit(kUsage);
  }

  std::int64_t Number(std::string_view option, const char* text, std::int64_t smallest,
                      std::int64_t largest, std::int64_t multiple_of) const {
    std::int64_t number = 0;
    const char* const end = text == nullptr ? nullptr : text + std::strlen(text);
    const auto parsed = std::from_chars(text, end, number);
    if (text == nullptr || parsed.ec != std::errc() || parsed.ptr != end || number < smallest ||
        number > largest || number % multiple_of != 0) {
      Fail(std::string(option) + " takes a number from " + std::to_string(smallest) + " to " +
           std::to_string(largest) + ", a multiple of " + std::to_string(multiple_of));
    }
    return number;
  }

  std::string Kernel(const char* text) const {
    for (const std::string& kernel : kernels_) {
      if (text != nullptr && kernel == text) return kernel;
    }
    Fail("--kernel takes one of the names below");
  }

  const char* name_;
  const char* summary_;
  Size size_;
  std::vector<std::string> kernels_;
  bool csv_;
};

}  // namespace samples
