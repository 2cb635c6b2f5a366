// SPDX-License-Identifier: Apache-2.0
//
// Atomics touch sectors too. When nobody uses the old value the machine code has a reduction (RED),
// otherwise an atomic (ATOMG).
#include "samples/common/sample.h"

using namespace samples;

constexpr unsigned kSpread = 8;  // counters apart: 32 bytes, a sector each

constexpr int kCountSpreadLine = __LINE__ + 5;

__global__ void count_spread(unsigned* counters) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: reduction sectors=32 ideal=4 lines=8 pattern=strided:32
  atomicAdd(&counters[i * kSpread], 1u);
}

constexpr int kCountPackedLine = __LINE__ + 5;

__global__ void count_packed(unsigned* counters) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: reduction clean sectors=4 ideal=4 lines=1 pattern=coalesced
  atomicAdd(&counters[i], 1u);
}

constexpr int kTicketSpreadLine = __LINE__ + 5;

__global__ void ticket_spread(unsigned* counters, unsigned* tickets) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: atomic sectors=32 ideal=4 lines=8 pattern=strided:32; store clean
  tickets[i] = atomicAdd(&counters[i * kSpread], 1u);
}

constexpr int kTicketPackedLine = __LINE__ + 5;

__global__ void ticket_packed(unsigned* counters, unsigned* tickets) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: atomic,store clean sectors=4 ideal=4 lines=1 pattern=coalesced
  tickets[i] = atomicAdd(&counters[i], 1u);
}

namespace {

constexpr unsigned kBlock = 256;

void Run(const Arguments& arguments) {
  const unsigned n = static_cast<unsigned>(arguments.n);
  const unsigned launches = static_cast<unsigned>(arguments.launches);
  DeviceArray<unsigned> counters(std::size_t(n) * kSpread);
  DeviceArray<unsigned> tickets(n);
  const auto measure = [&](const char* name, unsigned spread, auto launch) {
    if (!arguments.Wants(name)) return;
    counters.Zero();
    const Timing timing = Measure(arguments.launches, launch);
    Verify(name, counters,
           [=](std::size_t i) { return i % spread == 0 && i / spread < n ? launches : 0u; });
    PrintBandwidth(name, timing, 2.0 * n * sizeof(unsigned));
  };
  const auto verify_tickets = [&](const char* name) {
    if (!arguments.Wants(name)) return;
    Verify(name, tickets, [=](std::size_t) { return launches - 1; });
    tickets.Zero();
  };
  const unsigned grid = n / kBlock;
  measure("count_spread", kSpread, [&] { count_spread<<<grid, kBlock>>>(counters.data()); });
  measure("count_packed", 1, [&] { count_packed<<<grid, kBlock>>>(counters.data()); });
  measure("ticket_spread", kSpread,
          [&] { ticket_spread<<<grid, kBlock>>>(counters.data(), tickets.data()); });
  verify_tickets("ticket_spread");
  measure("ticket_packed", 1,
          [&] { ticket_packed<<<grid, kBlock>>>(counters.data(), tickets.data()); });
  verify_tickets("ticket_packed");
}

void CountAccesses(const Arguments& arguments, Reference& reference) {
  const unsigned grid = static_cast<unsigned>(arguments.n) / kBlock;
  const auto add = [&](int line, const char* kernel, const char* kind, unsigned spread) {
    if (!arguments.Wants(kernel)) return;
    reference.Add({line, kernel, kind, 4}, grid, kBlock,
                  [=](const Thread& t) { return At<unsigned>(GlobalX(t) * spread); });
  };
  add(kCountSpreadLine, "count_spread", "reduction", kSpread);
  add(kCountPackedLine, "count_packed", "reduction", 1);
  add(kTicketSpreadLine, "ticket_spread", "atomic", kSpread);
  add(kTicketSpreadLine, "ticket_spread", "store", 1);
  add(kTicketPackedLine, "ticket_packed", "atomic", 1);
  add(kTicketPackedLine, "ticket_packed", "store", 1);
}

}  // namespace

int main(int argc, char** argv) {
  return Main(argc, argv,
              {.name = "atomics",
               .summary = "adds to n counters, spread out or packed, with or without a result",
               .source = __FILE__,
               .size = {"counters", 1 << 20, kBlock, 1 << 24},
               .run = Run,
               .count = CountAccesses,
               .kernels = {"count_spread", "count_packed", "ticket_spread", "ticket_packed"}});
}
