// SPDX-License-Identifier: Apache-2.0
//
// The compiled code of the files that are predicted, and which launches are of its kernels.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libcoalcheck/cubin/cubin.h"
#include "libcoalcheck/prediction/kernel_names.h"
#include "libcoalcheck/prediction/known_launches.h"

namespace coalcheck::prediction {

// Code that files hold, by its identity.
class HeldCubins {
 public:
  struct Held {
    std::string bytes;
    std::string file;  // the first that holds it
  };
  void Add(CubinId id, std::string bytes, const std::string& file) {
    cubins_.try_emplace(id, Held{std::move(bytes), file});
  }
  std::map<CubinId, Held>& all() { return cubins_; }
  const std::map<CubinId, Held>& all() const { return cubins_; }

 private:
  std::map<CubinId, Held> cubins_;
};

class HeldCode {
 public:
  // Reads what can be read of `cubins`: the code for `sm`, 90 for sm_90, or all where it is 0.
  // Error: there is none for it, or a launch by hand fits several kernels.
  static absl::StatusOr<HeldCode> Read(HeldCubins cubins, std::uint32_t sm, KnownLaunches launches);

  const std::map<CubinId, cubin::Cubin>& cubins() const { return cubins_; }
  // The launches of a kernel: those given by hand, else recorded ones, else those its source says,
  // else those for any kernel. Null where there are none.
  const LaunchesOfKernel* LaunchesOf(CubinId cubin, std::string_view kernel,
                                     const LaunchesOfKernel& by_source) const;
  // Whether the kernels of that name differ, in one architecture.
  bool IsAmbiguous(std::string_view kernel) const { return ambiguous_.contains(kernel); }
  // Whether several files for one architecture hold a function of that name that is no kernel.
  bool IsFunctionOfMany(std::string_view name) const { return functions_.contains(name); }
  // Code that could not be read, names of different kernels, and launches that are of no kernel or
  // of none for sure.
  const std::vector<std::string>& problems() const { return problems_; }
  // Why some of the code could not be read, the first reason; empty: all was.
  const std::string& why_unread() const { return why_unread_; }

 private:
  std::vector<HeldKernel> Kernels(const HeldCubins& held) const;
  void NoteRecorded(const std::vector<HeldKernel>& kernels);
  void NoteAmbiguous();
  void NoteFunctions();
  void Split(const std::string& name);

  std::map<CubinId, cubin::Cubin> cubins_;
  std::map<std::string, LaunchesOfKernel, std::less<>> by_hand_, recorded_;
  std::map<std::string, std::set<std::string>, std::less<>> ambiguous_;  // and the files of each
  std::set<std::string, std::less<>> functions_;                         // that several files hold
  // Of kernels whose name stands for different code.
  std::map<std::pair<CubinId, std::string>, LaunchesOfKernel> of_cubin_;
  LaunchesOfKernel of_any_;
  std::vector<std::string> problems_;
  std::string why_unread_;
};

}  // namespace coalcheck::prediction
