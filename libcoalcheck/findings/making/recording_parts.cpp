// SPDX-License-Identifier: Apache-2.0
//
// Finds the sums of an access again, recording by recording.
#include "libcoalcheck/findings/making/recording_parts.h"

#include <optional>
#include <utility>
#include <vector>

namespace coalcheck::findings {
namespace {

// Finds out what each recording alone counted, also where only one did: what warps wait for in it
// is another share of its samples than of all.
class Parts {
 public:
  explicit Parts(const Aggregate& aggregate) : aggregate_(aggregate) {}

  void Give(Access& access) const {
    for (Instruction& instruction : access.instructions) {
      const auto found = aggregate_.functions.find({instruction.cubin, access.kernel});
      if (found == aggregate_.functions.end()) continue;
      GiveCounts(found->second, access.kind, instruction);
      if (access.parts.empty()) GiveLaunches(found->second, access);
    }
  }

 private:
  template <typename T>
  std::vector<std::pair<std::size_t, T>> Of(const Apart<T>& apart, const T& all) const {
    return aggregate_.keeps_samples_apart ? apart.OneAtLeast(all) : apart.recordings();
  }

  void GiveCounts(const FunctionAggregate& function, cubin::AccessKind kind,
                  Instruction& instruction) const {
    const auto found = function.instructions.find(instruction.pc);
    if (found == function.instructions.end()) return;
    for (const auto& [recording, counts] : Of(found->second.apart, found->second.counts)) {
      instruction.apart.emplace_back(recording, counts.Of(kind));
    }
  }

  // Of the kernel; of a function that is none, all in whose windows it had counts.
  void GiveLaunches(const FunctionAggregate& function, Access& access) const {
    const auto kernel = aggregate_.checked_apart.find(access.kernel);
    const bool is_kernel = kernel != aggregate_.checked_apart.end();
    const Apart<Launches>& launches = is_kernel ? kernel->second : function.inside_apart;
    for (const auto& [recording, checked] : Of(launches, access.launches_checked)) {
      access.parts.push_back({recording, checked, std::nullopt});
    }
  }

  const Aggregate& aggregate_;
};

}  // namespace

void GiveParts(const Aggregate& aggregate, std::vector<Access>& accesses) {
  if (aggregate.recordings.size() < 2) return;
  const Parts parts(aggregate);
  for (Access& access : accesses) parts.Give(access);
}

}  // namespace coalcheck::findings
