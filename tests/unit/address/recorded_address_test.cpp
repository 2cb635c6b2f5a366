// SPDX-License-Identifier: Apache-2.0
//
// The samples' recordings as an oracle: the sectors that the GPU counted for an access have to be
// among those that the explained addresses touch, wherever their array begins.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "libcoalcheck/address/explain.h"
#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/sectors/warp_request.h"

namespace coalcheck::address {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string ReadFile(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

struct Bounds {
  std::uint64_t least = ~std::uint64_t{0};
  std::uint64_t most = 0;
};

// Of the sectors that one request of any warp of the block may touch; empty when not explained.
std::optional<Bounds> SectorsOf(const AddressExpression& address, const BlockShape& block,
                                std::uint32_t width) {
  Bounds bounds;
  const std::uint32_t warps = block.x * block.y * block.z / kWarpSize;
  for (std::uint32_t warp = 0; warp < warps; ++warp) {
    const auto offsets = LaneOffsets(address, block, warp);
    if (!offsets) return std::nullopt;
    for (std::uint64_t base = 0; base < 128; base += width) {
      sectors::WarpRequest request;
      request.width = width;
      request.active = ~0U;
      for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
        request.address[lane] =
            (std::uint64_t{1} << 40U) + base + static_cast<std::uint64_t>((*offsets)[lane]);
      }
      const std::uint64_t count = sectors::Count(request).sectors.count();
      bounds.least = std::min(bounds.least, count);
      bounds.most = std::max(bounds.most, count);
    }
  }
  return bounds;
}

struct Totals {
  std::size_t rows = 0;
  std::size_t explained = 0;
  std::size_t in_numbers = 0;  // those that were compared
};

void CheckRow(const json& row, const ExplainedAccess& explained, const BlockShape& block,
              std::uint32_t width, Totals& totals) {
  ++totals.rows;
  if (explained.address.lanes != LaneDependence::kNotKnown) ++totals.explained;
  const std::uint64_t requests = row[1].get<std::uint64_t>() + row[3].get<std::uint64_t>();
  const std::uint64_t lanes = row[2].get<std::uint64_t>() + row[4].get<std::uint64_t>();
  if (lanes != requests * kWarpSize || width == 0) return;
  const std::optional<Bounds> bounds = SectorsOf(explained.address, block, width);
  if (!bounds) return;
  ++totals.in_numbers;
  EXPECT_GE(row[5].get<std::uint64_t>(), requests * bounds->least) << row;
  EXPECT_LE(row[5].get<std::uint64_t>(), requests * bounds->most) << row;
}

void CheckWindow(const json& window, const std::vector<std::string>& cubins, Totals& totals) {
  if (window["inside"].size() != 1) return;
  const json& launch = window["inside"][0];
  const BlockShape block{launch["block"][0], launch["block"][1], launch["block"][2]};
  for (const json& function : window["functions"]) {
    if (function["function"] != launch["kernel"]) continue;
    const std::string name = function["function"];
    for (const std::string& bytes : cubins) {
      const auto cubin = cubin::Cubin::Parse(bytes);
      ASSERT_TRUE(cubin.ok());
      const cubin::Function* found = cubin->FindFunction(name);
      if (found == nullptr) continue;
      const std::vector<ExplainedAccess> explained = ExplainAddresses(bytes, name);
      ASSERT_EQ(explained.size(), found->accesses.size());
      for (const json& row : function["rows"]) {
        for (std::size_t i = 0; i < explained.size(); ++i) {
          if (explained[i].pc.value() != row[0].get<std::uint32_t>()) continue;
          const auto width = static_cast<std::uint32_t>(found->accesses[i].width.count());
          CheckRow(row, explained[i], block, width, totals);
        }
      }
    }
  }
}

TEST(RecordedAddresses, TouchTheSectorsThatTheGpuCounted) {
  Totals totals;
  for (const auto& entry :
       fs::directory_iterator(fs::path(COALCHECK_SOURCE_DIR) / "tests/recordings")) {
    SCOPED_TRACE(entry.path().filename().string());
    std::vector<std::string> cubins;
    for (const auto& file : fs::directory_iterator(entry.path() / "cubins")) {
      cubins.push_back(ReadFile(file.path()));
    }
    std::ifstream lines(entry.path() / "records.jsonl");
    for (std::string line; std::getline(lines, line);) {
      const json record = json::parse(line);
      if (record["record"] == "window") CheckWindow(record, cubins, totals);
    }
  }
  RecordProperty("accesses", static_cast<int>(totals.rows));
  RecordProperty("explained", static_cast<int>(totals.explained));
  RecordProperty("compared", static_cast<int>(totals.in_numbers));
  EXPECT_GT(totals.rows, 200U);
  EXPECT_GE(totals.explained * 100, totals.rows * 90);
  EXPECT_GE(totals.in_numbers * 100, totals.rows * 70);
}

}  // namespace
}  // namespace coalcheck::address
