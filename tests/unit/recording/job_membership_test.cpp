// SPDX-License-Identifier: Apache-2.0
//
// Which job in a job the environment of each launcher gives.
#include "libcoalcheck/recording/job_membership.h"

#include <gtest/gtest.h>

#include <map>

namespace coalcheck::recording {
namespace {

using Environment = std::map<std::string, std::string>;

JobMembership JobMembershipOf(const Environment& environment) {
  return JobMembershipIn([&](const char* name) {
    const auto found = environment.find(name);
    return found == environment.end() ? std::string() : found->second;
  });
}

TEST(JobMembership, TorchrunGivesRankAndWorld) {
  const JobMembership job = JobMembershipOf(
      {{"RANK", "5"}, {"LOCAL_RANK", "1"}, {"WORLD_SIZE", "8"}, {"TORCHELASTIC_RUN_ID", "night"}});
  EXPECT_EQ(job, (JobMembership{5, 1, 8, "torch night"}));
}

TEST(JobMembership, TorchrunUnderSlurmHasSlurmsJobAndItsOwnRank) {
  const JobMembership job = JobMembershipOf({{"RANK", "5"},
                                             {"WORLD_SIZE", "8"},
                                             {"TORCHELASTIC_RUN_ID", "none"},
                                             {"SLURM_JOB_ID", "4711"},
                                             {"SLURM_STEP_ID", "0"},
                                             {"SLURM_PROCID", "1"},
                                             {"SLURM_STEP_NUM_TASKS", "2"}});
  EXPECT_EQ(job, (JobMembership{5, std::nullopt, 8, "slurm 4711.0"}));
}

TEST(JobMembership, EachLauncherOfMpiIsUnderstood) {
  EXPECT_EQ(JobMembershipOf({{"OMPI_COMM_WORLD_RANK", "3"},
                             {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                             {"OMPI_COMM_WORLD_SIZE", "4"},
                             {"PMIX_RANK", "3"},
                             {"PMIX_NAMESPACE", "123@1"}}),
            (JobMembership{3, 1, 4, "pmix 123@1"}));
  EXPECT_EQ(JobMembershipOf({{"PMI_RANK", "2"}, {"PMI_SIZE", "4"}, {"MPI_LOCALRANKID", "0"}}),
            (JobMembership{2, 0, 4, ""}));
  EXPECT_EQ(JobMembershipOf({{"PMIX_RANK", "2"}}),
            (JobMembership{2, std::nullopt, std::nullopt, ""}));
}

TEST(JobMembership, ATaskOfSrunIsARankAndABatchScriptIsNone) {
  const Environment batch = {{"SLURM_JOB_ID", "7"}, {"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}};
  EXPECT_EQ(JobMembershipOf(batch), JobMembership{});
  Environment task = batch;
  task.insert({{"SLURM_STEP_ID", "1"}, {"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_LOCALID", "0"}});
  EXPECT_EQ(JobMembershipOf(task), (JobMembership{0, 0, 4, "slurm 7.1"}));
}

TEST(JobMembership, WhatIsNoNumberIsNotKnown) {
  EXPECT_EQ(JobMembershipOf({}), JobMembership{});
  EXPECT_EQ(JobMembershipOf({{"RANK", "7"}}), JobMembership{}) << "anybody's variable";
  for (const char* rank : {"", "x", "1x", "-1", "4294967295", "4294967296"}) {
    EXPECT_EQ(JobMembershipOf({{"RANK", rank}, {"WORLD_SIZE", "8"}}), JobMembership{}) << rank;
  }
  EXPECT_EQ(JobMembershipOf({{"RANK", "8"}, {"WORLD_SIZE", "8"}}).world_size, std::nullopt);
}

}  // namespace
}  // namespace coalcheck::recording
