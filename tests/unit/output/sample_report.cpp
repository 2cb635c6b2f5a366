// SPDX-License-Identifier: Apache-2.0
//
// Makes the reports with a bit of everything.
#include "tests/unit/output/sample_report.h"

namespace coalcheck::output {

TransposeReport::TransposeReport() {
  sources.files[findings::kSource] = {"__global__ void transpose(…) {",
                                      "\tout[col * height + row] = in[row * width + col];", "}"};
  code.Add(findings::kCubin, kTranspose).accesses = {
      findings::MakeAccess(16, cubin::AccessKind::kLoad, {{kTranspose, findings::kSource, 2}}),
      findings::MakeAccess(32, cubin::AccessKind::kStore, {{kTranspose, findings::kSource, 2}})};
  run.windows = {findings::MakeWindow(
      1, kTranspose, {findings::MakeRow(16, 524288, 4, 4), findings::MakeRow(32, 524288, 32, 4)})};
  run.tallies = {{{kTranspose, {}, {}}, Launches(200), Launches(1), {{"sampling", Launches(199)}}}};
}

findings::Job MakeSampleJob() {
  findings::Job job;
  findings::JobRanks& ranks = job.jobs.emplace_back();
  ranks.job = "slurm 1.0";
  ranks.world_size = 4;
  ranks.recorded.Add(0, 1);
  ranks.missing.Add(2, 3);
  job.on_hosts = {{"slurm 1.0", 1, {"node0", "node1"}}};
  job.hosts = 2;
  job.shapes_compared = 3;
  job.shapes_alone = 1;
  job.is_grouped = true;
  recording::RankEntry entry;
  entry.job = {1, 0, 4, "slurm 1.0"};
  entry.host = "node0";
  entry.gpus = {{1, 2, 3}};
  entry.endings = {{true, recording::EndKind::kExit, 0, 1}};
  entry.sums = {Launches(9), Launches(2), Sectors(80), Sectors(40)};
  job.ranks.Add(entry);
  findings::RankDifference& difference = job.differences.emplace_back();
  difference.grid = {128, 1, 1};
  difference.block = {32, 8, 1};
  difference.processes = 3;
  difference.touched = {{40, 10, 0}, {320, 10, 1}, {{32, 2, {0, 2}}, {256, 1, {1}}}};
  difference.typical = difference.touched.steps[0];
  difference.others.Add(1);
  difference.other_processes = 1;
  difference.median_sectors_per_request = 4;
  return job;
}

findings::Report MakeFullReport(bool grouped) {
  TransposeReport sample;
  cubin::Function& bare = sample.code.Add(CubinId(7), "bare");
  bare.has_lines = false;
  bare.accesses = {findings::MakeAccess(48, cubin::AccessKind::kAtomic, {})};
  sample.code.Add(findings::kCubin, "inl").accesses = {
      findings::MakeAccess(64, cubin::AccessKind::kAsyncCopy,
                           {{"helper", "/src/app/h.h", 4}, {"inl", findings::kSource, 3}})};
  recording::RecordedRun& run = sample.run;
  run.devices = {
      {DeviceIndex(0), "NVIDIA H200", "GH100", 9, 0, 13000, 130001, 132, 1980000, 3201000, 6144}};
  run.windows.push_back(
      findings::MakeWindow(2, "bare", {findings::MakeRow(48, 3, 32, 4)}, CubinId(7)));
  run.windows.push_back(
      findings::MakeWindow(3, "inl", {{PcOffset(64), {0, 0, 3, 90, 50, 12, 40}}}));
  run.windows.push_back(
      findings::MakeWindow(4, "lost", {findings::MakeRow(16, 1, 4, 4)}, std::nullopt));
  run.windows[1].close = recording::WindowClose::kLate;
  run.tallies.push_back({{"never", {}, {}}, Launches(5), {}, {{"never_idle", Launches(5)}}});
  run.range_sets = {
      {RangeSetId(1), {{"", "step", RangeKind::kPushPop}, {"solver", "run", RangeKind::kStartEnd}}},
      {RangeSetId(2), {{"", "warm-up", RangeKind::kPushPop}}}};
  run.windows[0].inside[0].shape.ranges = RangeSetId(1);
  run.tallies[0].shape.ranges = RangeSetId(1);
  run.tallies.back().shape.ranges = RangeSetId(2);
  run.unmatched = {{"nvtx-include", "stpe", {"step", "run"}}};
  run.cost = recording::Cost{4, 0.021, 1.5, 1};
  run.losses = {{"window_lost", "the context was destroyed", 2}};
  run.lost_lines = {{recording::LineLoss::kNotJson, 1, 17, "x"}};
  run.end.reset();
  run.process_end = recording::ProcessEnd{0, recording::EndKind::kSignal, 9};
  run.progress = recording::Progress{1234, 4, 1};
  recording::RecordedRun minimal = findings::MakeRun();
  minimal.header.counters = {"requests"};
  minimal.unmatched = run.unmatched;
  findings::Report report =
      grouped ? findings::GroupedReportOn({run, minimal}, sample.code, sample.sources)
              : findings::ReportOn({run, minimal}, sample.code, sample.sources);
  const findings::KnownFinding known{Fingerprint(7), {28.0, 0.875}, "store",
                                     "a.cu",         "transpose",   "out[i]=in[i];"};
  report.baseline = findings::BaselineCheck{
      "base.txt", false, 1, 0, 1, {{known, {std::nullopt, 0.5}, true}}, {known}, {known}, {}};
  report.places.back().excuse = findings::Excuse{findings::Excuse::By::kBaseline, "base.txt"};
  report.accesses.back().excuse = report.places.back().excuse;
  report.places.front().standing = "new";
  report.accesses.front().instructions.front().address_text = {
      "parameter 2 (float*) + 4·threadIdx.x",
      "consecutive threads are 4 bytes apart",
      "neighbouring threads are 4 bytes apart",
      "out",
      1,
      {{kTranspose, findings::kSource, 1}}};
  report.accesses.front().made_from = {{{"forward", "/src/app/train.py", 12}, "y = x[:, 0]"}};
  report.fetched_again = {{1, 8, Bytes(4096), 32}, {0, 4.5, Bytes(0), 1}};
  report.bulk_copies = {{kTranspose, findings::Frame{kTranspose, findings::kSource, 3}, 1, 2, 0},
                        {kTranspose, std::nullopt, 0, 0, 1}};
  report.local_memory = {{kTranspose, findings::Frame{kTranspose, findings::kSource, 2}, 3, 2},
                         {"bare", std::nullopt, 1, 0}};
  findings::KernelMove tile;
  tile.move.kind = moves::MoveKind::kSharedTile;
  tile.move.tile = {32, 32, 33, Bytes(4224)};
  tile.move.before = 36;
  tile.move.after = 8;
  tile.helps = true;
  tile.array = "`out`";
  tile.elements = "floats";
  tile.accesses = {{0, {1, 32, 32, 4, 32}, {1, 32, 4, 4, 4}}};
  findings::KernelMove shape;
  shape.move.kind = moves::MoveKind::kBlockShape;
  shape.move.block = {8, 32, 1};
  report.moves = {{kTranspose, findings::kCubin, {128, 512, 1}, {32, 8, 1}, "", {tile, shape}},
                  {"bare", CubinId(7), {}, {}, "its threads share memory", {}}};
  report.unreadable = {{"lost.rec", "the recording is empty"}};
  report.job = MakeSampleJob();
  report.launch = findings::Launch{
      {"./app", "4096"}, {4242, recording::EndKind::kSignal, 9}, {{77, "sleep"}}, false};
  return report;
}

}  // namespace coalcheck::output
