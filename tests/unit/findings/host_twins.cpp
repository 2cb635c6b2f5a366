// SPDX-License-Identifier: Apache-2.0
//
// Compiles the twins for the host, where each access notes its address.
#include "tests/unit/findings/host_twins.h"

#include <array>
#include <cmath>
#include <cstring>
#include <set>
#include <span>
#include <stdexcept>
#include <utility>

namespace coalcheck::findings {
namespace {

using cubin::AccessKind;

int the_thread = 0;
// Of one warp: the addresses of each access, by lane.
std::map<TwinAccess, std::map<int, std::pair<std::uint64_t, std::size_t>>> the_warp;

void Note(std::uint32_t line, AccessKind kind, const void* place, std::size_t width) {
  std::size_t number = 0;
  while (the_warp[{line, kind, number}].contains(the_thread)) ++number;
  the_warp[{line, kind, number}][the_thread] = {reinterpret_cast<std::uintptr_t>(place), width};
}

template <typename T>
T& Noted(std::uint32_t line, AccessKind kind, T& place) {
  Note(line, kind, &place, sizeof(T));
  return place;
}

// A value as another lane of the warp has it.
template <typename Value>
auto OfLane(int lane, Value value) {
  const int before = std::exchange(the_thread, the_thread / 32 * 32 + lane);
  const auto its = value();
  the_thread = before;
  return its;
}

#define KERNEL(name, parameters) void name parameters
#define INDEX the_thread
#define LD(place) Noted(__LINE__, AccessKind::kLoad, place)
#define ST(place, value) Noted(__LINE__, AccessKind::kStore, place) = (value)
#define OF_LANE(mask, lane, value) OfLane(lane, [] { return value; })
#define OPAQUE(pointer) static_cast<void>(pointer)
#define MULTIPLY_HIGH(a, b) static_cast<int>(std::int64_t{a} * (b) >> 32)
#define FIRST_BIT(a) __builtin_ffs(a)
#include "tests/unit/findings/fixtures/twins.inc"

// Far more than any twin asks for; where cudaMalloc would have it begin.
struct alignas(256) Memory {
  std::array<float, std::size_t{1} << 16U> floats{};
};
Memory the_inputs[3];
Memory the_output;
std::array<int, 4096> the_indices;

template <typename... Arguments>
Twin Make(std::string kernel, void (*function)(Arguments...), Arguments... arguments) {
  Twin twin;
  twin.kernel = std::move(kernel);
  const auto add = [&twin]<typename T>(const T& argument) {
    const auto bytes = std::as_bytes(std::span(&argument, 1));
    const std::size_t size = bytes.size();
    twin.arguments.resize((twin.arguments.size() + size - 1) / size * size + size);
    std::memcpy(twin.arguments.data() + twin.arguments.size() - size, bytes.data(), size);
  };
  (add(arguments), ...);
  twin.thread = [function, arguments...] { function(arguments...); };
  return twin;
}

void AddRequest(const std::map<int, std::pair<std::uint64_t, std::size_t>>& lanes,
                RawCounts& counts) {
  std::set<std::uint64_t> sectors;
  std::set<std::uint64_t> lines;
  std::uint64_t bytes = 0;
  for (const auto& [lane, place] : lanes) {
    const auto& [address, width] = place;
    for (std::uint64_t byte = address; byte < address + width; ++byte) {
      sectors.insert(byte / 32);
      lines.insert(byte / 128);
    }
    bytes += width;
  }
  const std::uint64_t ideal = std::min<std::uint64_t>((bytes + 31) / 32, sectors.size());
  counts.direct += {Requests(1), Lanes(lanes.size()), Sectors(sectors.size()), Sectors(ideal),
                    CacheLines(lines.size())};
}

}  // namespace

Twin TwinOf(const std::string& kernel) {
  float* const in = the_inputs[0].floats.data();
  float* const other = the_inputs[1].floats.data();
  float* const third = the_inputs[2].floats.data();
  float* const out = the_output.floats.data();
  // Rows of 32 begin anywhere; of records every one is another.
  for (int i = 0; i < 4096; ++i) {
    the_indices[static_cast<std::size_t>(i)] = kernel == "follows_rows" ? i * 37 : i * 61 % 1021;
  }
  const int* const indices = the_indices.data();
  if (kernel == "uses_one_field_of_four") {
    return Make<const Record*, float*, int>(kernel, uses_one_field_of_four,
                                            reinterpret_cast<const Record*>(in), out, 0);
  }
  if (kernel == "follows_rows")
    return Make<const int*, const float*, float*>(kernel, follows_rows, indices, in, out);
  if (kernel == "follows_runs")
    return Make<const int*, const float*, float*>(kernel, follows_runs, indices, in, out);
  using OneArray = void (*)(const float*, float*);
  const std::map<std::string, OneArray> of_one_array = {
      {"asks_half_of_a_warp", asks_half_of_a_warp},
      {"steps_by_warp", steps_by_warp},
      {"divides_by_three", divides_by_three},
      {"takes_first_bits_and_roots", takes_first_bits_and_roots},
      {"goes_round_a_ring", goes_round_a_ring}};
  if (const auto found = of_one_array.find(kernel); found != of_one_array.end()) {
    return Make<const float*, float*>(kernel, found->second, in, out);
  }
  if (kernel == "keeps_indices_of_its_own") {
    return Make<const float*, float*, int>(kernel, keeps_indices_of_its_own, in, out, 2);
  }
  if (kernel == "adds_three") {
    return Make<const float*, const float*, const float*, float*, int>(kernel, adds_three, in,
                                                                       other, third, out, 1);
  }
  if (kernel == "chooses_an_array") {
    return Make<const float*, const float*, float*, int>(kernel, chooses_an_array, in, other, out,
                                                         1);
  }
  throw std::invalid_argument(kernel);
}

std::map<TwinAccess, RawCounts> CountOnHost(const Twin& twin, const TwinLaunch& launch) {
  std::map<TwinAccess, RawCounts> counts;
  const int threads = static_cast<int>(launch.blocks * launch.threads);
  for (int first = 0; first < threads; first += 32) {
    the_warp.clear();
    for (the_thread = first; the_thread < first + 32; ++the_thread) twin.thread();
    for (const auto& [access, lanes] : the_warp) {
      if (!lanes.empty()) AddRequest(lanes, counts[access]);
    }
  }
  return counts;
}

}  // namespace coalcheck::findings
