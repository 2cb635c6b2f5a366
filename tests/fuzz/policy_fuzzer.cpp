// SPDX-License-Identifier: Apache-2.0
//
// Bytes as a project file, a baseline and a line of source: no crash, an error that is said, rules
// that can be applied, and a baseline that is read is written as it is read back.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "libcoalcheck/comparison/baseline.h"
#include "libcoalcheck/policy/judge.h"
#include "libcoalcheck/policy/project_file.h"
#include "libcoalcheck/policy/source_comment.h"
#include "tests/fuzz/require.h"

using namespace coalcheck;

namespace {

class OneSource : public cubin::SourceText {
 public:
  std::optional<std::uint32_t> LineCount(std::string_view) override { return 1; }
  std::optional<std::string> Line(std::string_view, std::uint32_t) override {
    return "out[i] = x;";
  }
};

// Every access of a small report is decided, and whoever decides has something to say of it.
void Apply(policy::Rules rules) {
  rules.file = "x";
  findings::Report report;
  report.source_root = "/src";
  for (const char* kernel : {"_Z9transposePKfPfii", "_ZN3cub4scanIfLi4EEEvPT_", "plain"}) {
    findings::Access& access = report.accesses.emplace_back();
    access.kernel = kernel;
    access.shown = findings::Frame{kernel, "/src/a.cu", 1};
    access.chain = {{"helper", "/src/a.h", 1}, *access.shown};
    access.counts = {Requests(8), Lanes(256), Sectors(256), Sectors(32), CacheLines(256)};
    access.launches = access.launches_checked = Launches(1);
  }
  OneSource source;
  policy::Judge judge(rules, report, source);
  for (findings::Access& access : report.accesses) {
    judge.Decide(access);
    Require(!access.decision.empty());
  }
  Require(judge.Notes().at(0).starts_with("rules of x: "));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto project = policy::ReadProjectFile(bytes, "x");
  Require(project.ok() || !project.error().empty());
  if (project.ok()) Apply(project.value().rules);
  const auto comment = policy::ReadSourceComment(bytes.substr(0, bytes.find('\n')));
  Require(comment.ok() || !comment.error().empty());
  const auto baseline = comparison::ReadBaseline(bytes, "x");
  if (!baseline.ok()) {
    Require(!baseline.error().empty());
    return 0;
  }
  const std::string written = comparison::WriteBaseline(baseline.value());
  const auto again = comparison::ReadBaseline(written, "x");
  Require(again.ok() && again.value().findings.size() == baseline.value().findings.size());
  return 0;
}
