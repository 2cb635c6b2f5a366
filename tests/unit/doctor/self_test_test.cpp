// SPDX-License-Identifier: Apache-2.0
//
// What the self-test's outcome is taken for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libcoalcheck/doctor/checks.h"
#include "tests/unit/doctor/machines.h"

namespace coalcheck::doctor {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Engine Judge(const SelfTestFacts& test) { return JudgeSelfTest(test, GoodMachine()); }

void ExpectFailure(const SelfTestFacts& test, const std::string& message) {
  const Engine engine = Judge(test);
  EXPECT_EQ(engine.state, EngineState::kFails);
  EXPECT_THAT(engine.message, HasSubstr(message));
}

TEST(SelfTest, ExactCountsPass) {
  const Engine engine = Judge(PassedSelfTest());
  EXPECT_EQ(engine.state, EngineState::kWorks) << engine.message;
  EXPECT_EQ(engine.gpu_name, "NVIDIA H200");
}

TEST(SelfTest, OneSectorTooManyFails) {
  SelfTestFacts test = PassedSelfTest();
  test.counts[2].sectors += 1;
  ExpectFailure(test, "load of coalcheck_doctor_strided has 128 requests, 4097 sectors");
}

TEST(SelfTest, AMissingAndAnExtraAccessFail) {
  SelfTestFacts missing = PassedSelfTest();
  missing.counts.pop_back();
  ExpectFailure(missing, "store of coalcheck_doctor_strided was not counted once");
  SelfTestFacts twice = PassedSelfTest();
  twice.counts.push_back(twice.counts[0]);
  ExpectFailure(twice, "was not counted once");
  SelfTestFacts foreign = PassedSelfTest();
  foreign.counts.push_back({"another", false, 1, 1, 1, true});
  ExpectFailure(foreign, "other accesses");
}

TEST(SelfTest, AHangACrashAndAnErrorAreTold) {
  SelfTestFacts hung = PassedSelfTest();
  hung.timed_out = true;
  ExpectFailure(hung, "did not end in 60 s and was killed");
  SelfTestFacts crashed = PassedSelfTest();
  crashed.signal = 11;
  ExpectFailure(crashed, "signal 11");
  SelfTestFacts failed = PassedSelfTest();
  failed.failure = "cuInit: CUDA_ERROR_UNKNOWN (999)";
  ExpectFailure(failed, "(999)");
}

TEST(SelfTest, MissingLinesAreSaidButDoNotFail) {
  SelfTestFacts test = PassedSelfTest();
  test.counts[0].has_line = false;
  const Engine engine = Judge(test);
  EXPECT_EQ(engine.state, EngineState::kWorks);
  EXPECT_THAT(engine.message, HasSubstr("not with their source lines"));
}

TEST(SelfTest, WhatCuptiAnsweredComesWithItsRemedy) {
  struct Answer {
    const char* said;
    const char* remedy;
  };
  for (const Answer& c :
       {Answer{"measuring stops: cuptiSassMetricsSetConfig: X (35)", "NVreg_"},
        Answer{"cuptiSubscribe: X (39); it is the-other", "another CUPTI client"},
        Answer{"cuptiSassMetricsEnable: X (43)", "MIG"},
        Answer{"libcupti.so (13) said; cuptiSubscribe: X (41)", "confidential"}}) {
    SelfTestFacts test;
    test.agent_said = c.said;
    const Engine engine = Judge(test);
    EXPECT_THAT(engine.message, HasSubstr(c.said));
    EXPECT_THAT(engine.remedies, Contains(HasSubstr(c.remedy))) << c.said;
  }
}

TEST(SelfTest, AnUnknownNumberHasNoRemedy) {
  for (const char* said : {"cupti", "cupti(", "cupti ()", "cupti (99999999999999999999)", "(35)",
                           "cuptiSubscribe: X (999)"}) {
    SelfTestFacts test;
    test.agent_said = said;
    EXPECT_THAT(Judge(test).remedies, IsEmpty()) << said;
  }
}

}  // namespace
}  // namespace coalcheck::doctor
