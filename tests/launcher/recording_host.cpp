// SPDX-License-Identifier: Apache-2.0
//
// A program that records as the agent would, without a GPU or CUDA: recording_host STEP…. Steps are
// done in order: record, window, torn, progress, end, exit:N, _exit:N, kill:N, sleep:MS, say:TEXT,
// fork (the child goes on, the parent waits), orphan (the child goes on, the parent does too),
// exec (this program anew, with the steps that follow), alone (in a session of its own).
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "libcoalcheck/options/agent_options.h"
#include "libcoalcheck/recording/progress.h"
#include "libcoalcheck/recording/writer.h"

namespace {

using namespace coalcheck;

std::unique_ptr<recording::Writer> writer;
std::uint64_t windows = 0;

std::string Replaced(std::string text, std::string_view from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// The folder that COALCHECK_OPTIONS names, as the agent reads it.
std::string Folder() {
  const char* line = std::getenv("COALCHECK_OPTIONS");
  const auto options = options::ParseAgentOptions(line == nullptr ? "" : line);
  if (!options.ok() || options.value().report) std::exit(119);
  const std::string literal = Replaced(options.value().recording, "%%", "\1");
  return Replaced(Replaced(literal, "%p", std::to_string(getpid())), "\1", "%");
}

int until_recording = -1;  // closed once this process records

void Record() {
  const std::string folder = Folder();
  for (int i = 1; i < 10; ++i) {
    auto made = recording::Writer::Create(i == 1 ? folder : fmt::format("{}.{}", folder, i));
    if (!made.ok()) continue;
    writer = std::move(made).value();
    recording::Header header;
    header.program = "/opt/recording_host";
    header.pid = static_cast<std::uint64_t>(getpid());
    header.counters = {"sectors", "ideal_sectors"};
    writer->Append(header);
    if (until_recording >= 0) close(std::exchange(until_recording, -1));
    return;
  }
  std::exit(118);
}

// Counts of a cubin that nobody stored, which a report can sum and not attribute.
void Window() {
  recording::Window window;
  window.window = WindowId(++windows);
  window.inside = {{{"kernel", {}, {}}, Launches(1)}};
  window.functions = {{CubinId(1), "kernel", {{PcOffset(16), {32, 4}}}}};
  writer->Append(window);
}

void Torn() {
  std::ofstream(writer->folder() + "/records.jsonl", std::ios::app)
      << "{\"record\":\"window\",\"wi";
}

void ShowProgress() {
  const std::string file = writer->folder() + "/" + std::string(recording::kProgressFile);
  std::ofstream(file, std::ios::binary) << recording::ProgressBytes({1234, windows, 1});
}

void GoOnAsAChild(bool wait) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    writer.reset();
    windows = 0;
    return;
  }
  if (wait) waitpid(child, nullptr, 0);
  if (wait) std::exit(0);
}

void EndBy(int signal) {
  kill(getpid(), signal);
  std::this_thread::sleep_for(std::chrono::seconds(10));
}

// `orphan` forks a child that does the steps after it; the parent ends once the child records, or
// has ended: nobody can wait for a process that will record later.
void Orphan() {
  std::fflush(nullptr);
  int pipe_ends[2] = {};
  if (pipe(pipe_ends) != 0) std::exit(118);
  if (fork() != 0) {
    close(pipe_ends[1]);
    char byte = 0;
    [[maybe_unused]] const auto bytes = read(pipe_ends[0], &byte, 1);
    _exit(0);
  }
  close(pipe_ends[0]);
  until_recording = pipe_ends[1];
  writer.reset();
  windows = 0;
}

void Do(std::string_view step, char** rest) {
  const std::size_t colon = step.find(':');
  const std::string name(step.substr(0, colon));
  const std::string value(colon == std::string_view::npos ? "" : step.substr(colon + 1));
  if (name == "record") return Record();
  if (name == "window") return Window();
  if (name == "torn") return Torn();
  if (name == "progress") return ShowProgress();
  if (name == "end") return static_cast<void>(writer->Append(recording::End{"exit", 1, {}}));
  if (name == "exit") std::exit(std::stoi(value));
  if (name == "_exit") _exit(std::stoi(value));
  if (name == "kill") return EndBy(std::stoi(value));
  if (name == "sleep")
    return std::this_thread::sleep_for(std::chrono::milliseconds(std::stoi(value)));
  if (name == "say") return static_cast<void>(std::puts(value.c_str()) + std::fflush(stdout));
  if (name == "fork") return GoOnAsAChild(true);
  if (name == "orphan") return Orphan();
  if (name == "alone") return static_cast<void>(setsid());
  if (name == "exec") execv("/proc/self/exe", rest);
  std::exit(117);
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) Do(argv[i], argv + i);
}
