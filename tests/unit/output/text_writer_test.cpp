// SPDX-License-Identifier: Apache-2.0
//
// The text report, whole where it is short, by its lines where it is long.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libcoalcheck/output/forms/forms.h"
#include "tests/unit/output/sample_report.h"

namespace coalcheck::output {
namespace {

using findings::kCubin;
using findings::MakeAccess;
using findings::MakeRow;
using findings::MakeWindow;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

std::string Text(const findings::Report& report, cubin::SourceText& sources,
                 TextOptions options = {}) {
  return Written(Format::kText, {report, verdict::Judge(report), sources, options});
}

std::string Verbose(const findings::Report& report, cubin::SourceText& sources) {
  return Text(report, sources, {.print_limit = {}, .verbosity = Verbosity::kVerbose});
}

TEST(TextWriter, AFindingReadsLikeACompilersMessage) {
  TransposeReport sample;
  EXPECT_EQ(
      Text(sample.Make(), sample.sources),
      "a.cu:2: store wastes 87.5 %: 32 sectors a request, 4 needed\n"
      "    2 |     out[col * height + row] = in[row * width + col];\n"
      "      |     ^~~ strided by at least 124 bytes, a field of a structure of that size, or "
      "scattered\n"
      "   suggestion: for out: let consecutive lanes take consecutive elements: swap index roles, "
      "go "
      "through a shared tile, or use an array for each field; if an index decides, sort or bin it "
      "(4 "
      "sectors a request at best)\n"
      "coalcheck: cost not known: what warps wait for was not sampled (--cost auto)\n"
      "coalcheck: 1 finding (1 store), 1 access clean, 14.7\u202FM sectors wasted; counted 1 of "
      "200 "
      "launches (--sampling all for the rest)\n");
}

TEST(TextWriter, VerboseSaysEverythingOfAFinding) {
  TransposeReport sample;
  EXPECT_THAT(
      Verbose(sample.Make(), sample.sources),
      HasSubstr(
          "   kernel transpose(float const*, float*, int, int)  checked 1 of 200 launches, "
          "524\u202F288 requests\n"
          "   each request touches 32 sectors in 32 lines; 4 would do (32 lanes of 4 bytes)\n"
          "   estimate: 2.94\u202FG sectors wasted in all 200 launches, if the others are like the "
          "1 checked\n"
          "   pattern: strided by at least 124 bytes, a field of a structure of that size, or "
          "scattered\n"));
}

TEST(TextWriter, ALineOfGeneratedSourceSaysWhichPythonItWasMadeFrom) {
  TransposeReport sample;
  findings::Report report = sample.Make();
  std::vector<findings::MadeFrom>& made = report.accesses.front().made_from;
  made = {{{"forward", "/src/app/train.py", 12}, "y = x[:, 0]"}};
  EXPECT_THAT(Text(report, sample.sources),
              HasSubstr("scattered\n   made from train.py:12 in forward: y = x[:, 0]\n"));
  EXPECT_THAT(Verbose(report, sample.sources), HasSubstr("made from train.py:12 in forward"));
  made.push_back({{"f\x1b", "/src/app/b.py", 1}, ""});
  made.push_back(made.back());
  EXPECT_THAT(Text(report, sample.sources),
              HasSubstr("made from train.py:12 in forward and 2 other lines: y = x[:, 0]\n"));
  made.erase(made.begin(), made.begin() + 2);
  EXPECT_THAT(Text(report, sample.sources), Not(HasSubstr("\x1b")));
}

// What was tried on the transpose: its store, and its load.
findings::Report WithMoves(TransposeReport& sample) {
  findings::Report report = sample.Make();
  findings::KernelMove tile;
  tile.move.kind = moves::MoveKind::kSharedTile;
  tile.move.tile = {32, 32, 33, Bytes(4224)};
  tile.helps = true;
  tile.elements = "floats";
  tile.accesses = {{0, {1, 32, 32, 4, 32}, {1, 32, 4, 4, 4}},
                   {1, {1, 32, 4, 4, 1}, {1, 32, 4, 4, 1}}};
  findings::KernelMove swap;
  swap.accesses = {{0, {1, 32, 32, 4, 32}, {1, 32, 4, 4, 4}},
                   {1, {1, 32, 4, 4, 1}, {1, 32, 32, 4, 32}}};
  report.moves = {{kTranspose, kCubin, {}, {}, "", {tile, swap}}};
  return report;
}

TEST(TextWriter, AMoveThatHelpsIsTheFixAndOneThatHarmsOthersIsNot) {
  TransposeReport sample;
  EXPECT_THAT(
      Text(WithMoves(sample), sample.sources),
      HasSubstr("   fix: write through a shared tile of 32 x 33 floats: this store 32 -> 4, "
                "the load of `in` stays at 4\n"
                "   not: swapping threadIdx.x and .y: the load of `in` would go 4 -> 32\n"
                "coalcheck: "));
}

TEST(TextWriter, AMoveThatMaySlowTheKernelIsToBeMeasured) {
  TransposeReport sample;
  findings::Report report = WithMoves(sample);
  report.moves[0].moves[0].move.slow_warps = 0.97;
  EXPECT_THAT(Text(report, sample.sources),
              HasSubstr("the load of `in` stays at 4; measure it, it may be slower: now L1 serves "
                        "most rounds, then each waits for memory, with a warp at most on a "
                        "multiprocessor\n"));
  report.moves[0].moves[0].move.slow_warps = 7.6;
  EXPECT_THAT(Text(report, sample.sources), HasSubstr("with 8 warps on a multiprocessor\n"));
}

TEST(TextWriter, ThatNothingThatWasTriedHelpsIsSaid) {
  TransposeReport sample;
  findings::Report report = WithMoves(sample);
  report.moves[0].moves.erase(report.moves[0].moves.begin());
  const std::string text = Text(report, sample.sources);
  EXPECT_THAT(text, HasSubstr("   fix: nothing that was tried (1 change) lowers the sectors of "
                              "the kernel\n   not: swapping"));
  EXPECT_THAT(text, Not(HasSubstr("suggestion")));
}

TEST(TextWriter, WhatCouldNotBeTriedIsASuggestionWithTheReason) {
  TransposeReport sample;
  findings::Report report = WithMoves(sample);
  report.moves[0].moves.clear();
  report.moves[0].why_not = "its threads share memory";
  EXPECT_THAT(Text(report, sample.sources),
              HasSubstr("   suggestion (not tried: its threads share memory): for out: let"));
}

TEST(TextWriter, AnUnreadableSourceFileCostsOnlyItsText) {
  TransposeReport sample;
  sample.sources.files.clear();
  const std::string text = Text(sample.Make(), sample.sources);
  EXPECT_THAT(text, HasSubstr("a.cu:2: store wastes"));
  EXPECT_THAT(text, Not(HasSubstr(" | ")));
}

TEST(TextWriter, SaysThatEveryAccessIsClean) {
  TransposeReport sample;
  sample.run.windows[0].functions[0].rows.pop_back();
  EXPECT_EQ(
      Text(sample.Make(), sample.sources),
      "coalcheck: every access is clean: 1 access, 2.10\u202FM sectors; counted 1 of 200 launches "
      "(--sampling all for the rest)\n");
}

TEST(TextWriter, WhatWasNotAttributedIsNeverCalledClean) {
  TransposeReport sample;
  sample.run.windows[0].functions[0].rows.pop_back();
  sample.run.windows.push_back(MakeWindow(2, "lost", {MakeRow(16, 1, 32, 4)}, std::nullopt));
  const std::string text = Text(sample.Make(), sample.sources);
  EXPECT_THAT(text,
              EndsWith("coalcheck: not all could be judged: 32 sectors of lost not attributed: its "
                       "cubin was not seen loading\n"));
  EXPECT_THAT(text, Not(HasSubstr("every access is clean")));
}

TEST(TextWriter, TheCleanSummaryCountsTheSectorsOfItsAccessesOnly) {
  TransposeReport sample;
  sample.run.windows[0].functions[0].rows = {MakeRow(16, 10, 4, 4)};
  findings::Report report = sample.Make();
  report.sectors += Sectors(1000);  // of nobody
  EXPECT_THAT(Text(report, sample.sources),
              HasSubstr("every access is clean: 1 access, 40 sectors; counted 1 of 200 launches"));
}

TEST(TextWriter, SaysWhyNothingWasChecked) {
  TransposeReport sample;
  sample.run.windows.clear();
  sample.run.tallies.clear();
  EXPECT_EQ(Text(sample.Make(), sample.sources),
            "coalcheck: nothing was checked: no kernel was launched\n");
}

TEST(TextWriter, SaysWhatCouldNotBeCollected) {
  TransposeReport sample;
  sample.run = findings::MakeRun();
  sample.run.losses = {{"could_not_collect", "no libcupti was found", 1}};
  EXPECT_THAT(Text(sample.Make(), sample.sources),
              EndsWith("coalcheck: could not collect: no libcupti was found\n"));
}

TEST(TextWriter, AveragesThatAreNoIntegersDoNotLookLikeOnes) {
  TransposeReport sample;
  sample.run.windows[0].functions[0].rows = {
      {PcOffset(32), {1000, 31000, 0, 0, 31999, 4000, 31500}}};
  EXPECT_THAT(Verbose(sample.Make(), sample.sources),
              HasSubstr("each request touches on average 31.999 sectors in 31.5 lines; 4 would do "
                        "(31 lanes of 4 bytes)"));
}

TEST(TextWriter, OneRemainderIsEnoughToMakeAllOfItAnAverage) {
  for (const std::vector<std::uint64_t>& values :
       {std::vector<std::uint64_t>{4, 128, 0, 0, 66, 16, 64},
        {4, 128, 0, 0, 64, 18, 64},
        {4, 128, 0, 0, 64, 16, 62}}) {
    TransposeReport sample;
    sample.run.windows[0].functions[0].rows = {{PcOffset(32), values}};
    EXPECT_THAT(Verbose(sample.Make(), sample.sources),
                HasSubstr("each request touches on average "));
  }
  TransposeReport sample;
  sample.run.windows[0].functions[0].rows = {{PcOffset(32), {4, 128, 0, 0, 64, 16, 64}}};
  EXPECT_THAT(Verbose(sample.Make(), sample.sources),
              HasSubstr("each request touches 16 sectors in"));
}

TEST(TextWriter, WithTheSectorPairAloneItSpeaksOfSectors) {
  TransposeReport sample;
  sample.run.header.counters = {"sectors", "ideal_sectors"};
  sample.run.windows[0].functions[0].rows = {{PcOffset(32), {64, 8}}};
  const std::string text = Verbose(sample.Make(), sample.sources);
  EXPECT_THAT(text, HasSubstr("   64 sectors touched; 8 would do\n"));
  EXPECT_THAT(text, Not(HasSubstr("request")));
}

TEST(TextWriter, ThePrintLimitSaysWhatItHides) {
  TransposeReport sample;
  sample.run.windows[0].functions[0].rows[0] = MakeRow(16, 1, 8, 4);
  const std::string text = Text(sample.Make(), sample.sources, {.print_limit = 1, .color = false});
  EXPECT_THAT(text, HasSubstr("store wastes"));
  EXPECT_THAT(text, Not(HasSubstr("load wastes")));
  EXPECT_THAT(text, HasSubstr("coalcheck: 1 more finding not printed (--print-limit)\n"));
  EXPECT_THAT(text, HasSubstr("2 findings (1 load, 1 store), 0 accesses clean"));
}

TEST(TextWriter, InstantiationsAreFolded) {
  TransposeReport sample;
  sample.run = findings::MakeRun();
  for (const char* name : {"_Z4copyIfEvPT_", "_Z4copyIdEvPT_", "_Z4copyIiEvPT_"}) {
    sample.code.Add(kCubin, name).accesses = {
        MakeAccess(16, cubin::AccessKind::kLoad, {{name, "/src/app/copy.h", 9}})};
    sample.run.windows.push_back(
        MakeWindow(sample.run.windows.size() + 1, name, {MakeRow(16, 1, 8, 4)}));
    sample.run.tallies.push_back(
        {{name, {}, {}}, Launches(10), Launches(1), {{"sampling", Launches(9)}}});
  }
  const std::string text = Verbose(sample.Make(), sample.sources);
  EXPECT_THAT(text, HasSubstr("  checked 3 of 30 launches, 3 requests\n"));
  EXPECT_THAT(text, HasSubstr("and 2 more instantiations of this kernel\n"));
  EXPECT_THAT(text, HasSubstr("1 finding (1 load), 0 accesses clean, 12 sectors wasted"));
}

TEST(TextWriter, InstantiationsThatDifferShowTheRangeAndTheWorst) {
  TransposeReport sample;
  sample.run = findings::MakeRun();
  std::uint64_t requests = 100;  // the one that wastes most sectors wastes the smallest share
  std::uint64_t sectors = 8;
  for (const char* name : {"_Z4copyIfEvPT_", "_Z4copyIdEvPT_"}) {
    sample.code.Add(kCubin, name).accesses = {
        MakeAccess(16, cubin::AccessKind::kLoad, {{name, "/src/app/copy.h", 9}})};
    sample.run.windows.push_back(
        MakeWindow(sample.run.windows.size() + 1, name, {MakeRow(16, requests, sectors, 4)}));
    requests = 1;
    sectors = 32;
  }
  const std::string text = Verbose(sample.Make(), sample.sources);
  EXPECT_THAT(text, HasSubstr("load wastes 50 to 87.5 %: 8.24 sectors a request, 4 needed\n"));
  EXPECT_THAT(text, HasSubstr("   kernel void copy<double>"));
  EXPECT_THAT(text, HasSubstr("and 1 more instantiation of this kernel\n"));
}

TEST(TextWriter, AnInlinedAccessShowsItsChain) {
  TransposeReport sample;
  sample.code.Add(kCubin, "k").accesses = {
      MakeAccess(16, cubin::AccessKind::kLoad,
                 {{"helper", "/usr/include/h.h", 4}, {"k", findings::kSource, 1}})};
  sample.run.windows = {MakeWindow(1, "k", {MakeRow(16, 1, 32, 4)})};
  EXPECT_THAT(Verbose(sample.Make(), sample.sources),
              HasSubstr("   inlined: /usr/include/h.h:4 <- a.cu:1\n"));
}

TEST(TextWriter, CodeWithoutLineInformationShowsPcAndTheRemedyOnce) {
  TransposeReport sample;
  cubin::Function& bare = sample.code.Add(kCubin, "bare");
  bare.has_lines = false;
  bare.accesses = {MakeAccess(0x1a0, cubin::AccessKind::kLoad, {}),
                   MakeAccess(0x1b0, cubin::AccessKind::kLoad, {})};
  sample.run.windows = {MakeWindow(1, "bare", {MakeRow(0x1a0, 1, 32, 4), MakeRow(0x1b0, 1, 4, 4)})};
  const std::string text = Text(sample.Make(), sample.sources);
  EXPECT_THAT(text, HasSubstr("bare: pc 0x1a0: load wastes 87.5 %"));
  EXPECT_THAT(text, HasSubstr("1 finding (1 load), 1 access clean"));
  const std::size_t first = text.find("no line information in bare");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(text.find("no line information in bare", first + 1), std::string::npos);
  for (const char* remedy : {"nvcc", "NVRTC", "options=('-lineinfo',)"}) {
    EXPECT_THAT(text, HasSubstr(remedy));
  }
}

TEST(TextWriter, WhatWasNotLookedAtIsSaid) {
  findings::FakeSources sources;
  const std::string text = Text(MakeFullReport(), sources);
  for (const char* note :
       {"summed over 2 recordings", "never counted: never (5 launches: 5 because their context",
        "4 sectors of lost not attributed: its cubin was not seen loading (1 instruction)",
        ("rank0 was killed by SIGKILL after 4 windows (1\u202F234 launches seen); launches that "
         "were not counted are in no total"),
        "lost.rec not used: the recording is empty", "sleep (pid 77) outlived the program",
        "rank0: 1 window closed late", "rank0: 1 line not used: not a JSON object (line 17: x)",
        "rank0: window_lost (the context was destroyed; 2 times)",
        "rank1: not used, it lacks the counters sectors and ideal_sectors",
        "--nvtx-include stpe matched nothing; seen were step, run",
        ("4 windows took 0.02 s, 1.4 % of 1.5 s (budget 1 % for more than the first of each "
         "kernel); 1 kernel of several launches counted once")}) {
    EXPECT_THAT(text, HasSubstr(note));
  }
}

TEST(TextWriter, EachRangeHasARowAndWhatWasNotCountedThereADash) {
  findings::FakeSources sources;
  const std::string text = Text(MakeFullReport(), sources);
  EXPECT_THAT(text, HasSubstr("  range        launches    checked    sectors    wasted\n"
                              "  step              200          1     18.9\u202FM    77.8 %\n"
                              "  solver@run        200          1     18.9\u202FM    77.8 %\n"
                              "  warm-up             5          0          -         -\n"));
}

TEST(TextWriter, AKernelWithoutACountedAccessIsNamed) {
  findings::Report report;
  report.kernels.push_back({.kernel = "silent",
                            .launches = Launches(3),
                            .checked = Launches(2),
                            .skipped = {},
                            .counted_nothing = true});
  findings::FakeSources sources;
  EXPECT_THAT(Text(report, sources),
              HasSubstr("no access to global memory in 2 launches counted of silent\n"));
}

TEST(TextWriter, EveryNoteCarriesThePrefixAndTheSummaryIsLast) {
  findings::FakeSources sources;
  const std::string text = Text(MakeFullReport(), sources);
  const std::size_t first_note = text.find("coalcheck: ");
  ASSERT_NE(first_note, std::string::npos);
  for (std::size_t at = first_note; at < text.size(); at = text.find('\n', at) + 1) {
    EXPECT_EQ(text.substr(at, 11), "coalcheck: ");
  }
  EXPECT_THAT(text.substr(text.rfind("coalcheck: ")), HasSubstr("sectors wasted; counted"));
}

TEST(TextWriter, HostileNamesDoNotReachTheTerminal) {
  TransposeReport sample;
  const std::string evil = "evil\x1b]0;owned\x07";
  sample.code.Add(kCubin, evil).accesses = {
      MakeAccess(16, cubin::AccessKind::kLoad, {{"k", "/src/app/\x1b[2J.cu", 1}})};
  sample.sources.files["/src/app/\x1b[2J.cu"] = {"line \x1b[31m \xff"};
  sample.run.windows = {MakeWindow(1, evil, {MakeRow(16, 1, 32, 4)})};
  const std::string text = Text(sample.Make(), sample.sources);
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\xff")));
}

TEST(TextWriter, ColourIsOnlyThereWhenAskedFor) {
  TransposeReport sample;
  EXPECT_THAT(Text(sample.Make(), sample.sources, {.print_limit = {}, .color = true}),
              HasSubstr("\x1b[1;35mstore wastes 87.5 %\x1b[0m"));
}

}  // namespace
}  // namespace coalcheck::output
