// SPDX-License-Identifier: Apache-2.0
//
// The variables of each launcher, the innermost launcher first: torchrun may be started by srun.
#include "libcoalcheck/recording/job_membership.h"

#include <array>
#include <charconv>

namespace coalcheck::recording {
namespace {

struct Launcher {
  const char* rank;
  const char* local_rank;
  const char* world_size;
  const char* needs;  // a variable without which the others mean something else
};

// RANK alone may be anybody's, and a batch script under Slurm is task 0 of all its tasks.
constexpr std::array kLaunchers = {
    Launcher{"RANK", "LOCAL_RANK", "WORLD_SIZE", "WORLD_SIZE"},
    Launcher{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_SIZE",
             "OMPI_COMM_WORLD_SIZE"},
    Launcher{"PMI_RANK", "MPI_LOCALRANKID", "PMI_SIZE", "PMI_SIZE"},
    Launcher{"PMIX_RANK", "PMIX_LOCAL_RANK", "PMIX_SIZE", "PMIX_RANK"},
    Launcher{"SLURM_PROCID", "SLURM_LOCALID", "SLURM_STEP_NUM_TASKS", "SLURM_STEP_ID"},
};

using Variable = std::function<std::string(const char*)>;

std::optional<std::uint32_t> NumberIn(const std::string& text) {
  std::uint32_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || error != std::errc() || stopped != end) return std::nullopt;
  if (number == kNoRank) return std::nullopt;
  return number;
}

// torchrun's run id is "none" unless somebody gives one.
std::string JobIn(const Variable& variable) {
  if (const std::string job = variable("SLURM_JOB_ID"); !job.empty()) {
    const std::string step = variable("SLURM_STEP_ID");
    return "slurm " + job + (step.empty() ? "" : "." + step);
  }
  if (const std::string run = variable("TORCHELASTIC_RUN_ID"); !run.empty() && run != "none") {
    return "torch " + run;
  }
  if (const std::string name = variable("PMIX_NAMESPACE"); !name.empty()) return "pmix " + name;
  return {};
}

}  // namespace

JobMembership JobMembershipIn(const Variable& variable) {
  JobMembership job;
  for (const Launcher& launcher : kLaunchers) {
    if (variable(launcher.needs).empty()) continue;
    job.rank = NumberIn(variable(launcher.rank));
    if (!job.rank) continue;
    job.local_rank = NumberIn(variable(launcher.local_rank));
    job.world_size = NumberIn(variable(launcher.world_size));
    // More ranks than there are: one of the two numbers is not what it seems.
    if (job.world_size && *job.world_size <= *job.rank) job.world_size.reset();
    job.id = JobIn(variable);
    return job;
  }
  return job;
}

}  // namespace coalcheck::recording
