// SPDX-License-Identifier: Apache-2.0
//
// What the agent takes of a launch that it does not count, CUPTI and the driver left out: 20
// kernels of five parameters of 8 bytes, each with five sets of arguments in turn. The second
// number of a row is how many threads launch. Recording the arguments may add 100 ns at most.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/fake_clock.h"
#include "tests/support/simulated_program.h"

namespace coalcheck::testing {
namespace {

constexpr std::size_t kKernels = 20;
constexpr std::size_t kSets = 5;
constexpr std::size_t kParameters = 5;

class Call final : public agent::LaunchCall {
 public:
  explicit Call(std::uint64_t set) {
    for (std::size_t i = 0; i < kParameters; ++i) {
      values_[i] = 0x7f0000000000ULL + 4096 * (set + i);
      pointers_[i] = &values_[i];
    }
  }
  // Of launches that are counted.
  recording::LaunchArguments Arguments() const override {
    return {.shared_memory = Bytes(0),
            .size = Bytes(sizeof values_),
            .bytes = {reinterpret_cast<const char*>(values_.data()), sizeof values_}};
  }
  std::optional<agent::CalledWith> InPlace() const override {
    return agent::CalledWith{.pointers = pointers_.data()};
  }
  std::optional<agent::ParameterLayout> Layout() const override {
    agent::ParameterLayout layout{{}, sizeof values_};
    for (std::uint32_t i = 0; i < kParameters; ++i) layout.parameters.push_back({8 * i, 8});
    return layout;
  }

 private:
  std::array<std::uint64_t, kParameters> values_{};
  std::array<const void*, kParameters> pointers_{};
};

struct Program {
  explicit Program(const std::string& options) : program(clock, options) {
    context = program.CreateContext();
    stream = program.CreateStream(context);
    for (std::size_t kernel = 0; kernel < kKernels; ++kernel) {
      names.push_back("kernel" + std::to_string(kernel));
      program.LaunchPlain(context, stream, names.back());  // is counted: the others are not
    }
    for (std::size_t set = 0; set < kSets; ++set) calls.emplace_back(set);
  }
  void Launch(std::size_t number) {
    const std::size_t kernel = number % kKernels;
    const Call& call = calls[number / kKernels % kSets];
    // As the driver gives handles out: at equal distances.
    const agent::FunctionHandle function(0x5555'0000'0000ULL + 0x1a0 * kernel);
    program.agent().launches().Begin(context, stream,
                                     {function, names[kernel], {1, 1, 1}, {32, 1, 1}, {}, &call});
    program.agent().launches().End(true, &call);
  }

  FakeClock clock;
  SimulatedProgram program;
  agent::ContextHandle context;
  agent::StreamHandle stream;
  std::vector<std::string> names;
  std::vector<Call> calls;
};

void UncountedLaunch(benchmark::State& state, const std::string& options) {
  static std::optional<Program> program;
  if (state.thread_index() == 0) program.emplace(options);
  std::size_t number = 0;
  for (auto _ : state) program->Launch(number++);
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_CAPTURE(UncountedLaunch, arguments_off, "--record-arguments off")->ThreadRange(1, 2);
BENCHMARK_CAPTURE(UncountedLaunch, arguments_on, "--record-arguments on")->ThreadRange(1, 2);

}  // namespace
}  // namespace coalcheck::testing

BENCHMARK_MAIN();
