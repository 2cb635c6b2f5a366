// SPDX-License-Identifier: Apache-2.0
//
// What requests ask of L1, L2 and memory, against what an H200 was timed with.
#include "libcoalcheck/cost/demand.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

namespace coalcheck::cost {
namespace {

struct Row {
  char path[16];
  char operation[16];
  unsigned bytes, stride, sectors, lines;
  double cycles;
};

std::vector<Row> RowsOf(const char* path, const char* operation) {
  std::ifstream table(std::string(COALCHECK_SOURCE_DIR) + "/docs/measurements/memory-paths.csv");
  std::vector<Row> rows;
  for (std::string line; std::getline(table, line);) {
    Row row{};
    if (std::sscanf(line.c_str(), "%15[^,],%15[^,],%u,%u,%u,%u,%lf", row.path, row.operation,
                    &row.bytes, &row.stride, &row.sectors, &row.lines, &row.cycles) != 7) {
      continue;
    }
    if (std::strcmp(row.path, path) == 0 && std::strcmp(row.operation, operation) == 0) {
      rows.push_back(row);
    }
  }
  return rows;
}

Demand DemandOfOne(const Row& row, Direction direction) {
  const bool whole = row.stride == row.bytes && row.bytes >= 4;
  const Counts counts{Requests(1), Lanes(32), Sectors(row.sectors),
                      Sectors(whole ? row.sectors : row.sectors - 1), CacheLines(row.lines)};
  return DemandsOf(counts, direction, Reuse::kNone).now;
}

TEST(Demand, OnL1IsWhatWasTimedWhereItIsBusy) {
  int rows = 0;
  for (const Row& row : RowsOf("l1", "load")) {
    if (row.lines < 4) continue;  // the loop around the loads takes longer
    EXPECT_NEAR(DemandOfOne(row, Direction::kLoad).l1, row.cycles, 0.05 * row.cycles + 0.3)
        << row.bytes << "," << row.stride;
    ++rows;
  }
  EXPECT_GE(rows, 12);
}

TEST(Demand, OnL2IsWhatWasTimedWhereItIsBusy) {
  int rows = 0;
  for (const Direction direction : {Direction::kLoad, Direction::kStore}) {
    const char* operation = direction == Direction::kLoad ? "load" : "store";
    for (const Row& row : RowsOf("l2", operation)) {
      if (row.stride == 0) continue;  // one sector for all: not L2 is busy
      EXPECT_NEAR(DemandOfOne(row, direction).l2, row.cycles, 0.12 * row.cycles)
          << operation << "," << row.bytes << "," << row.stride;
      ++rows;
    }
  }
  EXPECT_GE(rows, 24);
}

// Where memory is what is busy: at the peak of 4.81 TB/s, of which streams reach so much.
TEST(Demand, OnMemoryIsWhatWasTimedWhereItIsBusy) {
  constexpr double kBytesPerCycle = 2 * 3.201e9 * 6016 / 8 / 1.98e9 / 132;
  int rows = 0;
  for (const Direction direction : {Direction::kLoad, Direction::kStore}) {
    const char* operation = direction == Direction::kLoad ? "load" : "store";
    for (const Row& row : RowsOf("memory", operation)) {
      // One sector for all; and of single sectors far apart more than is modelled is written.
      if (row.stride == 0 || row.stride == 128) continue;
      const Demand demand = DemandOfOne(row, direction);
      const double cycles = (static_cast<double>(demand.read.count()) / 0.94 +
                             static_cast<double>(demand.written.count()) / 0.74) /
                            kBytesPerCycle;
      EXPECT_NEAR(cycles, row.cycles, 0.17 * row.cycles) << operation << "," << row.stride;
      ++rows;
    }
  }
  EXPECT_EQ(rows, 10);
}

TEST(Demand, BehindL1IsOnlyWhatIsNeededWhereSiblingsUseTheRest) {
  const Counts counts{Requests(10), Lanes(320), Sectors(120), Sectors(40), CacheLines(30)};
  const Demands alone = DemandsOf(counts, Direction::kLoad, Reuse::kNone);
  const Demands shared = DemandsOf(counts, Direction::kLoad, Reuse::kOfTheRest);
  EXPECT_EQ(shared.now.l1, alone.now.l1);
  EXPECT_LT(shared.now.l2, alone.now.l2);
  EXPECT_EQ(shared.now.read, Bytes(40 * 32));
  EXPECT_EQ(shared.repaired.read, shared.now.read);
  // Stores pass L1 as they are, and meet in L2.
  const Demands stored = DemandsOf(counts, Direction::kStore, Reuse::kOfTheRest);
  EXPECT_EQ(stored.now.l2, DemandsOf(counts, Direction::kStore, Reuse::kNone).now.l2);
  EXPECT_EQ(stored.now.written, Bytes(40 * 32));
  EXPECT_EQ(stored.now.read, Bytes(0));
}

TEST(Demand, OfWhatAllBlocksLoadIsL1sAlone) {
  const Counts counts{Requests(10), Lanes(320), Sectors(320), Sectors(40), CacheLines(320)};
  const Demands demands = DemandsOf(counts, Direction::kLoad, Reuse::kOfAll);
  EXPECT_EQ(demands.now.l1, 320);
  EXPECT_EQ(demands.repaired.l1, 10);
  EXPECT_EQ(demands.now.l2, 0);
  EXPECT_EQ(demands.now.Moved(), Bytes(0));
  // L1 keeps nothing that is stored.
  EXPECT_GT(DemandsOf(counts, Direction::kStore, Reuse::kOfAll).now.l2, 0);
}

TEST(Demand, AfterTheRepairIsNeverMore) {
  for (std::uint64_t sectors = 1; sectors <= 32; ++sectors) {
    for (std::uint64_t ideal = 1; ideal <= sectors; ++ideal) {
      for (std::uint64_t lines = (sectors + 3) / 4; lines <= sectors; ++lines) {
        const Counts counts{Requests(1), Lanes(32), Sectors(sectors), Sectors(ideal),
                            CacheLines(lines)};
        for (const Direction direction : {Direction::kLoad, Direction::kStore}) {
          for (const Reuse reuse : {Reuse::kNone, Reuse::kOfTheRest, Reuse::kOfAll}) {
            const Demands demands = DemandsOf(counts, direction, reuse);
            EXPECT_LE(demands.repaired.l1, demands.now.l1);
            EXPECT_LE(demands.repaired.l2, demands.now.l2);
            EXPECT_LE(demands.repaired.Moved(), demands.now.Moved());
          }
        }
      }
    }
  }
}

TEST(MovedFor, ASectorAloneBringsItsNeighbour) {
  EXPECT_EQ(MovedFor(Sectors(32), CacheLines(8)), Bytes(32 * 32));   // whole lines
  EXPECT_EQ(MovedFor(Sectors(32), CacheLines(16)), Bytes(32 * 64));  // every second sector
  EXPECT_EQ(MovedFor(Sectors(32), CacheLines(32)), Bytes(32 * 64));  // one of each line
  EXPECT_EQ(MovedFor(Sectors(5), CacheLines(2)), Bytes(256));
  EXPECT_EQ(MovedFor(Sectors(5), CacheLines(0)), Bytes(160));  // lines were not counted
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  EXPECT_GE(MovedFor(Sectors(most), CacheLines(most)), Bytes(std::uint64_t{1} << 63U));
}

}  // namespace
}  // namespace coalcheck::cost
