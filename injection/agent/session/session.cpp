// SPDX-License-Identifier: Apache-2.0
//
// Folder naming and the writing of records.
#include "injection/agent/session/session.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "injection/agent/process/process_facts.h"
#include "injection/agent/process/say.h"
#include "injection/agent/windows/window_record.h"

namespace coalcheck::agent {
namespace {

// A recording folder is not taken twice: a process id can come again.
constexpr int kMostNames = 100;

std::string BaseName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// A folder for temporary recordings that only this user can write to, empty when there is none.
std::string PrivateFolder() {
  std::string folder =
      fmt::format("{}/coalcheck-{}", Environment("TMPDIR", "/tmp"), static_cast<int>(geteuid()));
  mkdir(folder.c_str(), 0700);
  struct stat status {};
  const bool is_ours = lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
                       status.st_uid == geteuid() && (status.st_mode & 0077) == 0;
  return is_ours ? folder : std::string();
}

}  // namespace

Session::Session(const options::AgentOptions& options, recording::Header header)
    : options_(options), header_(std::move(header)), temporary_(options.recording.empty()) {
  header_.sampling = selection::ToString(options_.sampling);
}

std::string Session::Folder() const {
  if (!temporary_) return ExpandTemplate(options_.recording, header_);
  const std::string parent = PrivateFolder();
  if (parent.empty()) return {};
  return fmt::format("{}/{}.{}", parent, BaseName(header_.program), header_.pid);
}

bool Session::Begin() {
  const std::string folder = Folder();
  if (folder.empty()) {
    Say("no recording: the temporary folder is not this user's own; name one with --recording");
    return false;
  }
  std::string error;
  for (int i = 1; i <= kMostNames; ++i) {
    const std::string name = i == 1 ? folder : fmt::format("{}.{}", folder, i);
    Result<std::unique_ptr<recording::Writer>> writer = recording::Writer::Create(name);
    if (writer.ok()) {
      own_writer_ = std::move(writer).value();
      static_cast<void>(own_writer_->Append(header_));  // before anybody else can write
      writer_.store(own_writer_.get(), std::memory_order_release);
      return true;
    }
    if (i == 1) error = writer.error();
    struct stat status {};
    if (stat((name + "/" + std::string(recording::kRecordsFile)).c_str(), &status) != 0) break;
  }
  Say(fmt::format("no recording: {}; name another folder with --recording", error));
  return false;
}

bool Session::IsOurProcess() const { return static_cast<std::uint64_t>(getpid()) == header_.pid; }

bool Session::Check(bool written) {
  if (!written && !write_failed_.exchange(true)) {
    Say(fmt::format("the recording is incomplete: {} ({})", writer()->last_error(), folder()));
  }
  return written;
}

void Session::Write(const recording::Record& record) {
  if (writer() != nullptr) Check(writer()->Append(record));
}

void Session::WriteLoss(std::string_view what, std::string_view detail, std::uint64_t count) {
  recording::Loss loss{std::string(what), std::string(detail), 0};
  {
    const MutexLock lock(losses_mutex_);
    const auto [found, is_new] = losses_.try_emplace({loss.what, loss.detail}, 0);
    loss.count = found->second += count;
    // In a recording that is full a loss is written when it is new, and at the end.
    if (Full() && !is_new) {
      losses_to_write_.insert(found->first);
      return;
    }
  }
  Write(loss);
}

void Session::WriteLastLosses() {
  const MutexLock lock(losses_mutex_);
  for (const auto& [what, detail] : losses_to_write_) {
    Write(recording::Loss{what, detail, losses_.at({what, detail})});
  }
  losses_to_write_.clear();
}

Session::StoredCubin Session::AddModule(ContextId context, std::string_view cubin) {
  const CubinId id = HashCubin(cubin);
  if (writer() == nullptr) return {id, {}};
  bool is_new = false;
  {
    const MutexLock lock(modules_mutex_);
    const auto [found, inserted] = cubins_.try_emplace(static_cast<std::uint32_t>(id.value()), id);
    if (!inserted && found->second != id) found->second.reset();
    is_new = stored_.insert(id).second;
  }
  if (Full()) return {id, {}};
  if (is_new && !StoreCubin(id, cubin) && !Full())
    WriteLoss(recording::loss::kCubinNotStored, ToHex(id), 1);
  Write(recording::Module{context, id, Bytes(cubin.size())});
  HasRoomFor(Bytes(0));
  return {id, fmt::format("{}/{}/{}.cubin", folder(), recording::kCubinFolder, ToHex(id))};
}

bool Session::StoreCubin(CubinId id, std::string_view cubin) {
  if (!HasRoomFor(Bytes(cubin.size()))) return false;
  return Check(writer()->StoreCubin(id, cubin));
}

bool Session::HasRoomFor(Bytes size) {
  if (writer()->written() + size <= options_.recording_limit) return true;
  if (!full_.exchange(true)) {
    const std::string what = fmt::format("the recording has reached its limit of {} MiB",
                                         options_.recording_limit.count() >> 20);
    Say(what + ": nothing more is counted (--recording-limit sets it)");
    WriteLoss(recording::loss::kRecordingFull, what, 1);
  }
  return false;
}

void Session::WriteProgress(const recording::Progress& progress) {
  if (writer() != nullptr) writer()->WriteProgress(progress);
}

std::optional<CubinId> Session::CubinOfCrc(std::uint32_t crc) const {
  const MutexLock lock(modules_mutex_);
  const auto found = cubins_.find(crc);
  return found == cubins_.end() ? std::nullopt : found->second;
}

void Session::WriteWindow(ClosedWindow& closed, ContextId context, DeviceIndex device) {
  recording::Window window{.window = closed.window,
                           .kind = closed.kind,
                           .close = closed.close,
                           .device = device,
                           .context = context,
                           .first_launch = closed.first_launch,
                           .inside = {},
                           .dropped_records = closed.dropped_records,
                           .functions = MergeCounts(closed.counts, [this](std::uint32_t crc) {
                             return CubinOfCrc(crc);
                           })};
  for (auto& [entry, inside] : closed.inside) {
    window.inside.push_back({entry->shape(), inside.launches, inside.arguments.Take()});
  }
  if (writer() != nullptr && !Check(writer()->Append(window))) {
    WriteLoss(recording::loss::kWindowLost, "its record could not be written", 1);
  }
  if (writer() != nullptr) HasRoomFor(Bytes(0));
}

void Session::WriteSamples(const recording::PcSamples& samples) {
  Write(samples);
  if (writer() != nullptr) HasRoomFor(Bytes(0));
}

bool Session::KnowsCubin(CubinId id) const {
  const MutexLock lock(modules_mutex_);
  return stored_.contains(id);
}

void Session::WriteTallies(LaunchBook& book, bool is_end) {
  for (const ShapeEntry* entry : book.Entries()) Write(entry->Tally());
  if (!Full()) {
    for (recording::Uncounted& one : book.TakeUncounted(is_end)) Write(std::move(one));
  }
  if (writer() != nullptr) HasRoomFor(Bytes(0));
}

void Session::End(std::string_view reason) {
  WriteLastLosses();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  Write(recording::End{std::string(reason), elapsed.count(), {}});
}

}  // namespace coalcheck::agent
