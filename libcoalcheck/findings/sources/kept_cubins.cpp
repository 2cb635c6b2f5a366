// SPDX-License-Identifier: Apache-2.0
//
// Compares bytes: an id is no proof, as another file with the same one can be made on purpose.
#include "libcoalcheck/findings/sources/kept_cubins.h"

#include <utility>

namespace coalcheck::findings {
namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20U;

}  // namespace

const cubin::Cubin* KeptCubins::Parsed(CubinId id, std::string bytes) {
  for (const auto& one : cubins_[id]) {
    if (one->bytes() == bytes) return one.get();
  }
  if (held_ + bytes.size() > kMostBytes || HashCubin(bytes) != id) return nullptr;
  const std::size_t size = bytes.size();
  absl::StatusOr<cubin::Cubin> parsed = cubin::Cubin::ParseCode(std::move(bytes));
  if (!parsed.ok()) return nullptr;
  held_ += size;
  return cubins_[id].emplace_back(std::make_unique<const cubin::Cubin>(*std::move(parsed))).get();
}

const cubin::Cubin* OwnCubins::Parsed(CubinId id) const {
  absl::StatusOr<std::string> bytes = own_.Load(id);
  return bytes.ok() ? kept_.Parsed(id, *std::move(bytes)) : nullptr;
}

}  // namespace coalcheck::findings
