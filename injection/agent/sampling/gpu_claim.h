// SPDX-License-Identifier: Apache-2.0
//
// A claim on a GPU's samplers that other processes of coalcheck respect. Measured on an H200: CUPTI
// lets a second process begin PC sampling on the same GPU, and that process then dies of SIGABRT or
// SIGSEGV in one of its later calls.
#pragma once

#include <sys/types.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "libcoalcheck/base/result.h"

namespace coalcheck::agent {

// Held until it is destroyed or the process is gone, however it went. Containers with a network of
// their own do not see each other's claims.
class GpuClaim {
 public:
  // `gpu`: the same text in every process, such as the bus id. Error: why it cannot be had.
  static Result<GpuClaim> Take(std::string_view gpu);
  // In a forked child, which holds its parent's claims too until it releases them here.
  static void Forked();

  GpuClaim(GpuClaim&& other) noexcept;
  GpuClaim& operator=(GpuClaim&& other) noexcept;
  ~GpuClaim();

 private:
  explicit GpuClaim(int socket);

  int socket_;  // bound to a name that only one socket can have
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

// Claims that contexts of this process share: one may go without giving its claim up, and another
// one samples the same GPU after it. Not for more than one thread at a time.
class GpuClaims {
 public:
  // Error: why it cannot be had.
  Result<std::shared_ptr<GpuClaim>> Take(const std::string& gpu);

 private:
  std::map<std::string, std::weak_ptr<GpuClaim>> claims_;
};

}  // namespace coalcheck::agent
