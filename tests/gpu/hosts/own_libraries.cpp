// SPDX-License-Identifier: Apache-2.0
//
// A program with libraries of its own that coalcheck has too: Abseil, fmt and, where it was there
// when this was built, protobuf. Theirs and ours must not meet.
#include <absl/container/flat_hash_map.h>
#include <absl/status/statusor.h>
#include <absl/strings/str_cat.h>
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <string>

#ifdef COALCHECK_HOST_PROTOBUF
#include <google/protobuf/struct.pb.h>
#endif

std::uint64_t RunKernel();

namespace {

absl::StatusOr<std::uint64_t> Total(const absl::flat_hash_map<std::string, std::uint64_t>& map) {
  if (map.empty()) return absl::NotFoundError("nothing to add");
  std::uint64_t total = 0;
  for (const auto& [key, value] : map) total += value;
  return total;
}

std::string ThroughProtobuf(std::uint64_t value) {
#ifdef COALCHECK_HOST_PROTOBUF
  google::protobuf::Value before;
  before.set_string_value(absl::StrCat(value));
  google::protobuf::Value after;
  if (!after.ParseFromString(before.SerializeAsString())) return "protobuf cannot read itself";
  return after.string_value();
#else
  return absl::StrCat(value);
#endif
}

}  // namespace

// NOLINTNEXTLINE(bugprone-exception-escape): what it throws fails the test that runs it
int main(int argc, char** argv) {
#ifndef COALCHECK_HOST_PROTOBUF
  if (argc > 1 && std::string(argv[1]) == "protobuf") {
    fmt::print(stderr, "built without protobuf (libprotobuf-dev)\n");
    return 77;
  }
#else
  (void)argc;
  (void)argv;
#endif
  absl::flat_hash_map<std::string, std::uint64_t> values;
  for (std::uint64_t i = 0; i < 1000; ++i) values[fmt::format("key {}", i)] = i;
  const std::uint64_t sum = RunKernel();
  const absl::StatusOr<std::uint64_t> total = Total(values);
  if (!total.ok() || Total({}).ok()) return 1;
  fmt::print("own_libraries {:016x} {}\n", sum, ThroughProtobuf(*total));
  return 0;
}
