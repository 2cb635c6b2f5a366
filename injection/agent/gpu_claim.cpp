// SPDX-License-Identifier: Apache-2.0
//
// The claim is a socket in Linux' abstract namespace: no file is left behind by any ending.
#include "injection/agent/gpu_claim.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <string>
#include <system_error>
#include <utility>

#include "libcoalcheck/recording/file_calls.h"

namespace coalcheck::agent {
namespace {

constexpr int kNone = -1;
// More GPUs than a host has. Readable in a forked child, where no lock can be trusted.
std::array<std::atomic<int>, 64> held{};  // descriptor + 1; 0: free

void Note(int socket) {
  for (std::atomic<int>& slot : held) {
    int free = 0;
    if (slot.compare_exchange_strong(free, socket + 1)) return;
  }
}

void Strike(int socket) {
  for (std::atomic<int>& slot : held) {
    int noted = socket + 1;
    if (slot.compare_exchange_strong(noted, 0)) return;
  }
}

bool Bind(int socket, std::string_view name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::size_t length = std::min(name.size(), sizeof(address.sun_path) - 1);
  // Behind a leading zero the name is abstract.
  std::copy_n(name.begin(), length, address.sun_path + 1);
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
  return bind(socket, reinterpret_cast<const sockaddr*>(&address), size) == 0;
}

}  // namespace

Result<GpuClaim> GpuClaim::Take(std::string_view gpu) {
  const int socket = recording::MoveHigh(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (socket != kNone && Bind(socket, "coalcheck/pc-sampling/" + std::string(gpu))) {
    return GpuClaim(socket);
  }
  const int error = errno;
  if (socket != kNone) close(socket);
  if (error == EADDRINUSE) return Error{"another process samples this GPU"};
  return Error{"cannot claim the GPU's samplers: " + std::generic_category().message(error)};
}

void GpuClaim::Forked() {
  for (std::atomic<int>& slot : held) {
    if (const int noted = slot.exchange(0); noted > 0) close(noted - 1);
  }
}

GpuClaim::GpuClaim(int socket) : socket_(socket) {
  struct stat status = {};
  if (fstat(socket_, &status) == 0) {
    device_ = status.st_dev;
    inode_ = status.st_ino;
  }
  Note(socket_);
}

GpuClaim::GpuClaim(GpuClaim&& other) noexcept
    : socket_(std::exchange(other.socket_, kNone)), device_(other.device_), inode_(other.inode_) {}

GpuClaim& GpuClaim::operator=(GpuClaim&& other) noexcept {
  std::swap(socket_, other.socket_);
  std::swap(device_, other.device_);
  std::swap(inode_, other.inode_);
  return *this;
}

// Hosts that close every descriptor exist; the number may then be a file of theirs.
bool GpuClaim::StillOurs() const {
  struct stat status = {};
  return fstat(socket_, &status) == 0 && status.st_dev == device_ && status.st_ino == inode_;
}

GpuClaim::~GpuClaim() {
  if (socket_ == kNone) return;
  Strike(socket_);
  if (StillOurs()) close(socket_);
}

}  // namespace coalcheck::agent
