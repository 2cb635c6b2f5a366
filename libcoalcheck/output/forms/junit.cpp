// SPDX-License-Identifier: Apache-2.0
//
// A kernel fails with its findings, is skipped when it was never counted, and passes otherwise. A
// last case is the verdict itself, so that nothing checked is no success.
#include <fmt/format.h>

#include <map>
#include <pugixml.hpp>

#include "libcoalcheck/findings/words/words.h"
#include "libcoalcheck/output/escape.h"
#include "libcoalcheck/output/forms/forms.h"
#include "libcoalcheck/output/view/finding_list.h"
#include "libcoalcheck/output/view/notes.h"
#include "libcoalcheck/output/view/policy.h"
#include "libcoalcheck/output/view/ranges.h"
#include "libcoalcheck/output/view/summary.h"

namespace coalcheck::output {
namespace {

using findings::Place;
using findings::Report;

std::string TextOf(const FindingView& view) {
  std::string text = words::Printable(view.where) + ": " + words::Printable(view.claim);
  for (const Detail& detail : view.details) text += '\n' + words::Printable(Cut(detail.text));
  return text;
}

struct Failure {
  std::string message;
  std::string text;
  std::string type;
};

// By kernel. A place of several instantiations is in each of them that has a finding.
std::map<std::string, std::vector<Failure>> FailuresOf(const Report& report) {
  std::map<std::string, std::vector<Failure>> failures;
  for (const Place& place : FindingPlaces(report)) {
    const FindingView view = ViewOf(report, place);
    const Failure failure{words::Printable(view.where + ": " + view.claim), TextOf(view),
                          RuleOf(view.worst->kind)};
    std::string last;
    for (std::size_t i = 0; i < place.counted; ++i) {
      const std::string& kernel = report.accesses[place.accesses[i]].kernel;
      if (i > 0 && kernel == last) continue;
      failures[kernel].push_back(failure);
      last = kernel;
    }
  }
  return failures;
}

class Suite {
 public:
  Suite(pugi::xml_node suites, const std::string& name) : node_(suites.append_child("testsuite")) {
    class_name_ = words::Printable(Cut(name));
    for (const char* attribute : {"name", "tests", "failures", "errors", "skipped"}) {
      node_.append_attribute(attribute);
    }
    node_.attribute("name").set_value(class_name_.c_str());
  }

  pugi::xml_node AddCase(const std::string& name) {
    ++tests_;
    pugi::xml_node test = node_.append_child("testcase");
    test.append_attribute("classname").set_value(class_name_.c_str());
    test.append_attribute("name").set_value(words::Printable(Cut(name)).c_str());
    return test;
  }
  void Fail(pugi::xml_node test, const Failure& failure) {
    if (!test.child("failure")) ++failures_;
    pugi::xml_node node = test.append_child("failure");
    node.append_attribute("message").set_value(Cut(failure.message).c_str());
    node.append_attribute("type").set_value(failure.type.c_str());
    node.append_child(pugi::node_pcdata).set_value(failure.text.c_str());
  }
  void Skip(pugi::xml_node test, const std::string& why) {
    ++skipped_;
    test.append_child("skipped").append_attribute("message").set_value(
        words::Printable(why).c_str());
  }
  void Break(pugi::xml_node test, const std::string& why) {
    ++errors_;
    pugi::xml_node node = test.append_child("error");
    node.append_attribute("message").set_value(words::Printable(Cut(why)).c_str());
    node.append_attribute("type").set_value("verdict");
  }
  void Finish() {
    node_.attribute("tests").set_value(tests_);
    node_.attribute("failures").set_value(failures_);
    node_.attribute("errors").set_value(errors_);
    node_.attribute("skipped").set_value(skipped_);
  }

 private:
  pugi::xml_node node_;
  std::string class_name_;
  unsigned tests_ = 0;
  unsigned failures_ = 0;
  unsigned errors_ = 0;
  unsigned skipped_ = 0;
};

void AddKernels(const Report& report, Suite& suite) {
  std::map<std::string, std::vector<Failure>> failures = FailuresOf(report);
  for (const findings::KernelCoverage& kernel : report.kernels) {
    const auto found = failures.find(kernel.kernel);
    const bool counted = kernel.checked > Launches(0);
    if (!counted && found == failures.end() && kernel.launches == Launches(0)) continue;
    pugi::xml_node test = suite.AddCase(words::PrintableName(kernel.kernel));
    if (found != failures.end()) {
      for (const Failure& failure : found->second) suite.Fail(test, failure);
      failures.erase(found);
    } else if (!counted) {
      suite.Skip(test, fmt::format("none of its {} was counted",
                                   words::Count(kernel.launches.count(), "launch", "launches")));
    }
  }
  for (const auto& [function, rest] : failures) {  // functions that kernels call
    pugi::xml_node test = suite.AddCase(words::PrintableName(function));
    for (const Failure& failure : rest) suite.Fail(test, failure);
  }
}

std::string ProgramOf(const Report& report) {
  for (const findings::RecordingInfo& recording : report.recordings) {
    const std::string& program = recording.header.program;
    if (!program.empty()) return program.substr(program.rfind('/') + 1);
  }
  return "coalcheck";
}

}  // namespace

void WriteJunit(const FormInput& input, std::ostream& out) {
  const Report& report = input.report;
  const verdict::Verdict& verdict = input.verdict;
  pugi::xml_document document;
  pugi::xml_node suites = document.append_child("testsuites");
  suites.append_attribute("name").set_value("coalcheck");
  for (const findings::RangeGroup& group : report.by_range) {
    Suite suite(suites, group.range ? RangeName(*group.range) : "outside every range");
    AddKernels(group.report, suite);
    suite.Finish();
  }
  Suite suite(suites, ProgramOf(report));
  if (report.by_range.empty()) AddKernels(report, suite);
  pugi::xml_node verdict_case = suite.AddCase("coalcheck");
  const std::string summary = SummaryLine(report, verdict);
  if (!WasJudged(verdict)) {
    suite.Break(verdict_case, summary);
  }
  std::string said = words::Printable(summary);
  for (const auto& notes :
       {AloneNotes(report), GapNotes(report), UnknownNotes(report), PolicyNotes(report)}) {
    for (const std::string& note : notes) said += '\n' + note;
  }
  verdict_case.append_child("system-out").append_child(pugi::node_pcdata).set_value(said.c_str());
  suite.Finish();
  document.save(out, " ", pugi::format_default, pugi::encoding_utf8);
}

}  // namespace coalcheck::output
