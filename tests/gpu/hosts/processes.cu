// SPDX-License-Identifier: Apache-2.0
//
// Programs of more than one process: forks before and after CUDA starts, another program in place
// of this one, a group of ranks, and workers that never touch CUDA.
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "host.h"

namespace {

using hosts::Arguments;
using hosts::Arrays;
using hosts::Check;
using hosts::Checksum;

// Ten launches; what is printed is out before anything else happens.
void Work(const char* who) {
  hosts::NeedDevices(1);
  Arrays a;
  a.Add<1>(10);
  Checksum sum;
  a.AddTo(sum);
  hosts::Print(who, sum);
  std::fflush(stdout);
}

void WaitFor(pid_t child) {
  int status = 0;
  if (waitpid(child, &status, 0) != child) hosts::Fail("waitpid", "lost a child");
  if (WIFEXITED(status) && WEXITSTATUS(status) == hosts::kCannotRunHere) {
    std::exit(hosts::kCannotRunHere);
  }
  std::printf("child: %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  std::fflush(stdout);
}

pid_t Fork(const std::function<void()>& in_child) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child < 0) hosts::Fail("fork", "refused");
  if (child == 0) {
    in_child();
    std::exit(0);
  }
  return child;
}

[[noreturn]] void BecomeThisProgram(const std::string& its_case, const std::string& argument = "") {
  std::vector<char> path(4096);
  const ssize_t size = readlink("/proc/self/exe", path.data(), path.size() - 1);
  if (size <= 0) hosts::Fail("readlink", "no /proc");
  execl(path.data(), "processes", its_case.c_str(), argument.c_str(), nullptr);
  hosts::Fail("execl", "refused");
}

void ForkBefore(const Arguments&) {
  WaitFor(Fork([] { Work("child"); }));
  Work("parent");
}

// The child does what a child after CUDA may do: nothing of CUDA.
void ForkAfter(const std::function<void()>& end) {
  Work("before");
  WaitFor(Fork([&] {
    std::printf("in the child\n");
    std::fflush(stdout);
    end();
  }));
  Work("after");
}

// A child of a program that uses CUDA runs another one, as subprocesses do.
void ExecInChild(const Arguments&) {
  Work("before");
  WaitFor(Fork([] { BecomeThisProgram("work"); }));
  Work("after");
}

// The program itself is replaced; its process id stays.
void ExecInPlace(const Arguments&) {
  Work("before");
  BecomeThisProgram("work");
}

// Four ranks at once, each with an end of a pipe as its stdout; printed in their order. The parent
// makes no CUDA call.
void Ranks(const Arguments&) {
  constexpr int kRanks = 4;
  int pipes[kRanks][2] = {};
  pid_t children[kRanks] = {};
  for (int rank = 0; rank < kRanks; ++rank) {
    if (pipe(pipes[rank]) != 0) hosts::Fail("pipe", "refused");
    children[rank] = Fork([&, rank] {
      dup2(pipes[rank][1], STDOUT_FILENO);
      for (int i = 0; i <= rank; ++i) {
        close(pipes[i][0]);
        if (i == rank) close(pipes[i][1]);
      }
      setenv("RANK", std::to_string(rank).c_str(), 1);
      BecomeThisProgram("work", "rank" + std::to_string(rank));
    });
    close(pipes[rank][1]);
  }
  for (int rank = 0; rank < kRanks; ++rank) {
    char buffer[4096];
    for (ssize_t size; (size = read(pipes[rank][0], buffer, sizeof buffer)) > 0;) {
      std::fwrite(buffer, 1, static_cast<std::size_t>(size), stdout);
    }
    WaitFor(children[rank]);
  }
}

// Four children of a program that uses CUDA hand it numbers, as data loaders do.
void Workers(const Arguments&) {
  constexpr int kWorkers = 4;
  Work("before");
  int numbers[2] = {};
  if (pipe(numbers) != 0) hosts::Fail("pipe", "refused");
  pid_t children[kWorkers] = {};
  for (int worker = 0; worker < kWorkers; ++worker) {
    children[worker] = Fork([&] {
      for (int i = 0; i < 100; ++i) {
        const std::int64_t number = worker * 1000 + i;
        if (write(numbers[1], &number, sizeof number) != sizeof number) _exit(1);
      }
    });
  }
  close(numbers[1]);
  Work("meanwhile");
  std::int64_t total = 0;
  for (std::int64_t number = 0; read(numbers[0], &number, sizeof number) == sizeof number;) {
    total += number;
  }
  for (const pid_t child : children) WaitFor(child);
  std::printf("total %lld\n", static_cast<long long>(total));
}

void OneOf(const Arguments& arguments) {
  const bool named = !arguments.empty() && !arguments[0].empty();
  Work(named ? arguments[0].c_str() : "work");
}

}  // namespace

int main(int argc, char** argv) {
  return hosts::RunCase(
      argc, argv,
      {{"work", OneOf},
       {"fork_before", ForkBefore},
       {"fork_after_exit", [](const Arguments&) { ForkAfter([] { std::exit(3); }); }},
       {"fork_after__exit", [](const Arguments&) { ForkAfter([] { _exit(4); }); }},
       {"exec_in_child", ExecInChild},
       {"exec_in_place", ExecInPlace},
       {"ranks", Ranks},
       {"workers", Workers}});
}
