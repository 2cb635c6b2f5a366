// SPDX-License-Identifier: Apache-2.0
//
// Gas dynamics: what flows in and out of each cell along one axis (Lax and Friedrichs). A cell is a
// struct of five doubles, so that lanes read and write 40 bytes apart; the repair has an array to
// each quantity.
#include "bench/fix_pairs/pair.h"

using namespace fix_pairs;

constexpr int kSide = 128;
constexpr unsigned kCells = kSide * kSide * kSide;
constexpr double kGammaMinusOne = 0.5;  // so that all is exact
constexpr double kSpeed = 4;

struct State {
  double density, x, y, z, energy;
};

// The same, an array to a quantity.
struct States {
  double *density, *x, *y, *z, *energy;

  __device__ State At(unsigned i) const { return {density[i], x[i], y[i], z[i], energy[i]}; }
  __device__ void Put(unsigned i, const State& state) const {
    density[i] = state.density;
    x[i] = state.x;
    y[i] = state.y;
    z[i] = state.z;
    energy[i] = state.energy;
  }
};

template <int axis>
__device__ State Flux(const State& s) {
  const double pressure =
      kGammaMinusOne * (s.energy - 0.5 * (s.x * s.x + s.y * s.y + s.z * s.z) / s.density);
  const double velocity = (axis == 0 ? s.x : axis == 1 ? s.y : s.z) / s.density;
  return {s.density * velocity, s.x * velocity + (axis == 0 ? pressure : 0),
          s.y * velocity + (axis == 1 ? pressure : 0), s.z * velocity + (axis == 2 ? pressure : 0),
          (s.energy + pressure) * velocity};
}

template <int axis>
__device__ State Change(const State& before, const State& own, const State& after) {
  const State in = Flux<axis>(before);
  const State out = Flux<axis>(after);
  const auto change = [](double from, double to, double left, double middle, double right) {
    return 0.5 * (from - to) + 0.5 * kSpeed * (left - 2 * middle + right);
  };
  return {change(in.density, out.density, before.density, own.density, after.density),
          change(in.x, out.x, before.x, own.x, after.x),
          change(in.y, out.y, before.y, own.y, after.y),
          change(in.z, out.z, before.z, own.z, after.z),
          change(in.energy, out.energy, before.energy, own.energy, after.energy)};
}

__device__ __forceinline__ unsigned Cell(int i, int j, int k) {
  const auto around = [](int x) { return static_cast<unsigned>((x + kSide) % kSide); };
  return (around(k) * kSide + around(j)) * kSide + around(i);
}

template <int axis>
__global__ void euler_fluxes_bad(const State* __restrict__ now, State* __restrict__ change) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int j = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int k = static_cast<int>(blockIdx.z * blockDim.z + threadIdx.z);
  const State before = now[Cell(i - (axis == 0), j - (axis == 1), k - (axis == 2))];
  const State own = now[Cell(i, j, k)];
  const State after = now[Cell(i + (axis == 0), j + (axis == 1), k + (axis == 2))];
  change[Cell(i, j, k)] = Change<axis>(before, own, after);
}

template <int axis>
__global__ void euler_fluxes_good(const States now, const States change) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int j = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int k = static_cast<int>(blockIdx.z * blockDim.z + threadIdx.z);
  const State before = now.At(Cell(i - (axis == 0), j - (axis == 1), k - (axis == 2)));
  const State own = now.At(Cell(i, j, k));
  const State after = now.At(Cell(i + (axis == 0), j + (axis == 1), k + (axis == 2)));
  change.Put(Cell(i, j, k), Change<axis>(before, own, after));
}

// Small whole numbers; densities are powers of 2, which divide exactly.
double Start(unsigned cell, unsigned quantity) {
  const unsigned hash = (cell * 5 + quantity + 1) * 2654435761U >> 16U;
  if (quantity == 0) return 1U << hash % 3;
  return quantity == 4 ? 100 + hash % 50 : static_cast<double>(hash % 9) - 4;
}

std::vector<double> Sample(const DeviceArray<double>& all, unsigned cell_step,
                           unsigned quantity_step) {
  const std::vector<double> values = all.Slice(0, all.size());
  std::vector<double> sample;
  for (unsigned cell = 0; cell < kCells; cell += 7) {
    for (unsigned q = 0; q < 5; ++q) sample.push_back(values[cell * cell_step + q * quantity_step]);
  }
  return sample;
}

std::shared_ptr<DeviceArray<double>> Cells(unsigned cell_step, unsigned quantity_step) {
  std::vector<double> start(std::size_t{kCells} * 5);
  for (unsigned cell = 0; cell < kCells; ++cell) {
    for (unsigned q = 0; q < 5; ++q) start[cell * cell_step + q * quantity_step] = Start(cell, q);
  }
  return std::make_shared<DeviceArray<double>>(start);
}

dim3 Block() { return dim3(32, 4, 2); }
dim3 Grid() { return dim3(kSide / 32, kSide / 4, kSide / 2); }

Side Bad() {
  const auto now = Cells(5, 1);
  const auto change = MakeArray<double>(std::size_t{kCells} * 5);
  return {[=] {
            euler_fluxes_bad<1><<<Grid(), Block()>>>(reinterpret_cast<const State*>(now->data()),
                                                     reinterpret_cast<State*>(change->data()));
          },
          [=] { return Sample(*change, 5, 1); }};
}

Side Good() {
  const auto now = Cells(1, kCells);
  const auto change = MakeArray<double>(std::size_t{kCells} * 5);
  const auto arrays = [](double* all) {
    return States{all, all + kCells, all + 2 * kCells, all + 3 * kCells, all + 4 * kCells};
  };
  return {[=] {
            euler_fluxes_good<1><<<Grid(), Block()>>>(arrays(now->data()), arrays(change->data()));
          },
          [=] { return Sample(*change, 1, kCells); }};
}

int main(int argc, char** argv) { return Main(argc, argv, {"euler_fluxes", Bad, Good}); }
