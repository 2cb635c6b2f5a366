// SPDX-License-Identifier: Apache-2.0
//
// The claim is a socket in Linux' abstract namespace: no file is left behind by any ending.
#include "injection/agent/sampling/gpu_claim.h"

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
// A descriptor, and which socket it was. Readable in a forked child, where no lock can be trusted.
struct Held {
  std::atomic<bool> taken{false};
  std::atomic<int> socket{kNone};  // kNone: not written yet, or not any more
  dev_t device = 0;
  ino_t inode = 0;
};
std::array<Held, 64> held;  // more than a host has GPUs

// Some hosts close every descriptor; the number may then be a file of theirs.
bool Is(int socket, dev_t device, ino_t inode) {
  struct stat status = {};
  return fstat(socket, &status) == 0 && status.st_dev == device && status.st_ino == inode;
}

void Note(int socket, dev_t device, ino_t inode) {
  for (Held& slot : held) {
    if (slot.taken.exchange(true)) continue;
    slot.device = device;
    slot.inode = inode;
    slot.socket = socket;
    return;
  }
}

void Strike(int socket) {
  for (Held& slot : held) {
    int noted = socket;
    if (!slot.socket.compare_exchange_strong(noted, kNone)) continue;
    slot.taken = false;
    return;
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
  for (Held& slot : held) {
    const int socket = slot.socket.exchange(kNone);
    if (socket == kNone) continue;
    if (Is(socket, slot.device, slot.inode)) close(socket);
    slot.taken = false;
  }
}

Result<std::shared_ptr<GpuClaim>> GpuClaims::Take(const std::string& gpu) {
  std::weak_ptr<GpuClaim>& known = claims_[gpu];
  if (std::shared_ptr<GpuClaim> ours = known.lock()) return ours;
  Result<GpuClaim> taken = GpuClaim::Take(gpu);
  if (!taken.ok()) return Error{taken.error()};
  auto claim = std::make_shared<GpuClaim>(std::move(taken).value());
  known = claim;
  return claim;
}

GpuClaim::GpuClaim(int socket) : socket_(socket) {
  struct stat status = {};
  if (fstat(socket_, &status) == 0) {
    device_ = status.st_dev;
    inode_ = status.st_ino;
  }
  Note(socket_, device_, inode_);
}

GpuClaim::GpuClaim(GpuClaim&& other) noexcept
    : socket_(std::exchange(other.socket_, kNone)), device_(other.device_), inode_(other.inode_) {}

GpuClaim& GpuClaim::operator=(GpuClaim&& other) noexcept {
  std::swap(socket_, other.socket_);
  std::swap(device_, other.device_);
  std::swap(inode_, other.inode_);
  return *this;
}

GpuClaim::~GpuClaim() {
  if (socket_ == kNone) return;
  Strike(socket_);
  if (Is(socket_, device_, inode_)) close(socket_);
}

}  // namespace coalcheck::agent
