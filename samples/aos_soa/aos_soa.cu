// SPDX-License-Identifier: Apache-2.0
//
// An array of structures against a structure of arrays: of each 12-byte particle one access uses
// four bytes.
#include <cstddef>

#include "samples/common/sample.h"

using namespace samples;

struct Particle {
  float x, y, z;
};

constexpr int kAosLine = __LINE__ + 6;  // and the two accesses after it, two lines apart

__global__ void move_aos(Particle* particles, float dx, float dy, float dz, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // expect: load,store sectors=12 ideal=4 lines=3 pattern=struct_field:12
  particles[i].x += dx;
  // expect: load,store sectors=12 ideal=4 lines=3 pattern=struct_field:12
  particles[i].y += dy;
  // expect: load,store sectors=12 ideal=4 lines=3 pattern=struct_field:12
  particles[i].z += dz;
}

constexpr int kSoaLine = __LINE__ + 6;

__global__ void move_soa(float* x, float* y, float* z, float dx, float dy, float dz, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // expect: load,store clean pattern=coalesced
  x[i] += dx;
  // expect: load,store clean pattern=coalesced
  y[i] += dy;
  // expect: load,store clean pattern=coalesced
  z[i] += dz;
}

namespace {

constexpr unsigned kBlock = 256;
constexpr float kStep[3] = {1, 2, 3};

void RunAos(const Arguments& arguments) {
  const unsigned n = static_cast<unsigned>(arguments.n);
  DeviceArray<Particle> particles(n);
  const Timing timing = Measure(arguments.launches, [&] {
    move_aos<<<n / kBlock, kBlock>>>(particles.data(), kStep[0], kStep[1], kStep[2], n);
  });
  const float launches = static_cast<float>(arguments.launches);
  for (const Particle& p : particles.Slice(0, n)) {
    if (p.x == launches * kStep[0] && p.y == launches * kStep[1] && p.z == launches * kStep[2]) {
      continue;
    }
    std::fprintf(stderr, "move_aos: a particle is at %g %g %g\n", p.x, p.y, p.z);
    std::exit(kWrongResult);
  }
  PrintBandwidth("move_aos", timing, 2.0 * n * sizeof(Particle));
}

void RunSoa(const Arguments& arguments) {
  const unsigned n = static_cast<unsigned>(arguments.n);
  DeviceArray<float> x(n), y(n), z(n);
  const Timing timing = Measure(arguments.launches, [&] {
    move_soa<<<n / kBlock, kBlock>>>(x.data(), y.data(), z.data(), kStep[0], kStep[1], kStep[2], n);
  });
  const float launches = static_cast<float>(arguments.launches);
  Verify("move_soa", x, [=](std::size_t) { return launches * kStep[0]; });
  Verify("move_soa", y, [=](std::size_t) { return launches * kStep[1]; });
  Verify("move_soa", z, [=](std::size_t) { return launches * kStep[2]; });
  PrintBandwidth("move_soa", timing, 2.0 * n * sizeof(Particle));
}

void Run(const Arguments& arguments) {
  if (arguments.Wants("move_aos")) RunAos(arguments);
  if (arguments.Wants("move_soa")) RunSoa(arguments);
}

void CountAccesses(const Arguments& arguments, Reference& reference) {
  const unsigned grid = static_cast<unsigned>(arguments.n) / kBlock;
  for (int field = 0; field < 3; ++field) {
    for (const char* kind : {"load", "store"}) {
      if (arguments.Wants("move_aos")) {
        reference.Add({kAosLine + 2 * field, "move_aos", kind, 4}, grid, kBlock,
                      [=](const Thread& t) { return At<Particle>(GlobalX(t)) + At<float>(field); });
      }
      if (arguments.Wants("move_soa")) {
        reference.Add({kSoaLine + 2 * field, "move_soa", kind, 4}, grid, kBlock,
                      [](const Thread& t) { return At<float>(GlobalX(t)); });
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  return Main(argc, argv,
              {.name = "aos_soa",
               .summary = "moves n particles, kept as an array of structures or as three arrays",
               .source = __FILE__,
               .size = {"particles", 1 << 22, kBlock},
               .run = Run,
               .count = CountAccesses,
               .kernels = {"move_aos", "move_soa"}});
}
