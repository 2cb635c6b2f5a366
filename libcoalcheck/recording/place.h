// SPDX-License-Identifier: Apache-2.0
//
// Which process of a job a process is: what launchers of many processes say in the environment.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace coalcheck::recording {

// Empty is not known.
struct Place {
  std::optional<std::uint32_t> rank;        // in the job, from 0
  std::optional<std::uint32_t> local_rank;  // on its machine, from 0
  std::optional<std::uint32_t> world_size;  // processes with a rank
  std::string job;                          // "slurm 4711.0": alike in all processes of a job
  friend bool operator==(const Place&, const Place&) = default;
};

// The place that the environment gives. The first launcher that has given a rank says all but the
// job: torchrun and its like, Open MPI, PMI, PMIx, Slurm's srun. `variable` is the value of an
// environment variable, empty when it is not set.
Place PlaceIn(const std::function<std::string(const char* name)>& variable);

}  // namespace coalcheck::recording
