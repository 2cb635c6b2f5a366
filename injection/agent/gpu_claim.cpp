// SPDX-License-Identifier: Apache-2.0
//
// The claim is a socket in Linux' abstract namespace: no file is left behind by any ending.
#include "injection/agent/gpu_claim.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <string>
#include <system_error>
#include <utility>

namespace coalcheck::agent {
namespace {

constexpr int kNone = -1;

}  // namespace

Result<GpuClaim> GpuClaim::Take(std::string_view gpu) {
  const std::string name = "coalcheck/pc-sampling/" + std::string(gpu);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::size_t length = std::min(name.size(), sizeof(address.sun_path) - 1);
  // Behind a leading zero the name is abstract.
  std::copy_n(name.begin(), length, address.sun_path + 1);
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
  GpuClaim claim(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (claim.socket_ != kNone &&
      bind(claim.socket_, reinterpret_cast<const sockaddr*>(&address), size) == 0) {
    return claim;
  }
  if (errno == EADDRINUSE) return Error{"another process samples this GPU"};
  return Error{"cannot claim the GPU's samplers: " + std::generic_category().message(errno)};
}

GpuClaim::GpuClaim(GpuClaim&& other) noexcept : socket_(std::exchange(other.socket_, kNone)) {}

GpuClaim& GpuClaim::operator=(GpuClaim&& other) noexcept {
  std::swap(socket_, other.socket_);
  return *this;
}

GpuClaim::~GpuClaim() {
  if (socket_ != kNone) close(socket_);
}

}  // namespace coalcheck::agent
