// SPDX-License-Identifier: Apache-2.0
//
// The place of a process in a job of many processes, as their launcher gives it in the environment.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>

namespace coalcheck::recording {

// Stands for a number that is not known, in PMIx as in a table of ranks: never that of a rank.
inline constexpr std::uint32_t kNoRank = std::numeric_limits<std::uint32_t>::max();

// Empty is not known.
struct JobMembership {
  std::optional<std::uint32_t> rank;        // in the job, from 0
  std::optional<std::uint32_t> local_rank;  // on its machine, from 0
  std::optional<std::uint32_t> world_size;  // processes with a rank
  std::string id;                           // "slurm 4711.0": alike in all processes of a job
  friend bool operator==(const JobMembership&, const JobMembership&) = default;
};

// Rank, local rank and size come from the first of these launchers that has set a rank: torchrun,
// Open MPI, PMI, PMIx, Slurm's srun; the id from Slurm, torchrun or PMIx, in this order. `variable`
// is the value of an environment variable, empty when it is not set.
JobMembership JobMembershipIn(const std::function<std::string(const char* name)>& variable);

}  // namespace coalcheck::recording
