// SPDX-License-Identifier: Apache-2.0
//
// No sector is lost and none is counted twice: rows add up to what was recorded, for recordings and
// machine code drawn at random.
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "tests/unit/findings/fakes.h"

namespace coalcheck::findings {
namespace {

class Draw {
 public:
  explicit Draw(std::uint32_t seed) : random_(seed) {}

  std::size_t Below(std::size_t limit) { return random_() % limit; }
  std::string Function() { return "f" + std::to_string(Below(5)); }
  CubinId Cubin() { return CubinId(Below(4)); }

  // Functions with random accesses in some of the cubins; others are refused or lack a function.
  void Fill(FakeCode& code) {
    for (std::uint64_t cubin = 0; cubin < 3; ++cubin) {
      for (int f = 0; f < 4; ++f) {
        cubin::Function& function = code.Add(CubinId(cubin), "f" + std::to_string(f));
        for (std::uint32_t pc = 0; pc < 160; pc += 16) {
          if (Below(4) != 0) function.accesses.push_back(MakeAccess(pc, Kind(pc), Frames()));
        }
      }
    }
    code.Refuse(CubinId(3), UnattributedCause::kCubinMissing);
  }

  recording::RecordedRun Run() {
    recording::RecordedRun run = MakeRun();
    for (std::uint64_t id = 1 + Below(6); id > 0; --id) {
      recording::Window window = MakeWindow(id, Function(), Rows());
      for (std::size_t more = Below(4); more > 0; --more) {
        std::optional<CubinId> cubin;
        if (Below(5) != 0) cubin = Cubin();
        window.functions.push_back({cubin, Function(), Rows()});
      }
      run.windows.push_back(std::move(window));
    }
    return run;
  }

 private:
  // The GPU counts an instruction's requests and lanes as those of an async copy, or as others.
  static bool IsAsync(std::uint32_t pc) { return pc % 64 == 0; }

  cubin::AccessKind Kind(std::uint32_t pc) {
    using enum cubin::AccessKind;
    static constexpr std::array kOthers = {kLoad, kStore, kAtomic, kReduction};
    return IsAsync(pc) ? kAsyncCopy : kOthers[Below(kOthers.size())];
  }

  std::vector<cubin::SourceFrame> Frames() {
    static constexpr std::array<std::string_view, 3> kFiles = {"/src/app/a.cu", "/src/app/b.h",
                                                               "/usr/include/c.h"};
    std::vector<cubin::SourceFrame> frames;
    for (std::size_t depth = Below(4); depth > 0; --depth) {
      frames.push_back({"g", kFiles[Below(3)], static_cast<std::uint32_t>(1 + Below(3))});
    }
    return frames;
  }

  std::vector<recording::CountRow> Rows() {
    std::vector<recording::CountRow> rows;
    for (std::size_t left = Below(12); left > 0; --left) {
      recording::CountRow row{PcOffset(static_cast<std::uint32_t>(16 * Below(12))), {}};
      for (int i = 0; i < 7; ++i) row.values.push_back(Value());
      const std::size_t zero = IsAsync(row.pc.value()) ? 0 : 2;
      row.values[zero] = row.values[zero + 1] = 0;
      rows.push_back(std::move(row));
    }
    return rows;
  }

  std::uint64_t Value() { return Below(50) == 0 ? ~std::uint64_t{0} : Below(1000); }

  std::mt19937 random_;
};

// Counted straight from the records, knowing nothing of instructions.
Counts Recorded(const std::vector<recording::RecordedRun>& runs) {
  Counts total;
  for (const recording::RecordedRun& run : runs) {
    for (const recording::Window& window : run.windows) {
      for (const recording::FunctionCounts& function : window.functions) {
        for (const recording::CountRow& row : function.rows) {
          total.requests += Requests(row.values[0]) + Requests(row.values[2]);
          total.lanes += Lanes(row.values[1]) + Lanes(row.values[3]);
          total.sectors += Sectors(row.values[4]);
          total.ideal += Sectors(row.values[5]);
          total.lines += CacheLines(row.values[6]);
        }
      }
    }
  }
  return total;
}

TEST(Conservation, AccessesAndNamedRowsAddUpToWhatWasRecorded) {
  for (std::uint32_t seed = 1; seed <= 500; ++seed) {
    Draw draw(seed);
    FakeCode code;
    FakeSources sources;
    draw.Fill(code);
    const std::vector<recording::RecordedRun> runs = {draw.Run(), draw.Run()};
    const Report report = ReportOn(runs, code, sources);

    Counts rows;
    for (const Access& access : report.accesses) rows += access.counts;
    for (const Unattributed& row : report.unattributed) rows += row.counts;
    const Counts recorded = Recorded(runs);
    ASSERT_EQ(rows.requests, recorded.requests) << "seed " << seed;
    ASSERT_EQ(rows.lanes, recorded.lanes) << "seed " << seed;
    ASSERT_EQ(rows.sectors, recorded.sectors) << "seed " << seed;
    ASSERT_EQ(rows.ideal, recorded.ideal) << "seed " << seed;
    ASSERT_EQ(rows.lines, recorded.lines) << "seed " << seed;
    ASSERT_EQ(report.sectors, recorded.sectors) << "seed " << seed;
    ASSERT_EQ(report.ideal, recorded.ideal) << "seed " << seed;
    ASSERT_EQ(report.lines, recorded.lines) << "seed " << seed;
  }
}

TEST(Conservation, InstructionsAddUpToTheirAccessAndPlacesHoldEachAccessOnce) {
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    Draw draw(seed);
    FakeCode code;
    FakeSources sources;
    draw.Fill(code);
    const Report report = ReportOn({draw.Run()}, code, sources);
    for (const Access& access : report.accesses) {
      Counts sum;
      for (const Instruction& instruction : access.instructions) sum += instruction.counts;
      ASSERT_EQ(sum, access.counts) << "seed " << seed;
    }
    std::vector<int> seen(report.accesses.size(), 0);
    for (const Place& place : report.places) {
      for (const std::size_t index : place.accesses) ++seen[index];
    }
    ASSERT_EQ(seen, std::vector<int>(report.accesses.size(), 1)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace coalcheck::findings
