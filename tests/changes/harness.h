// SPDX-License-Identifier: Apache-2.0
//
// What these programs share. `NAME naive|repaired|both` times the wasteful kernel, the repaired one
// or both; `both`, which is also what no argument means, then compares their results.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

// Ends the program where a call of the CUDA runtime failed.
inline void Check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "CUDA error: %s\n", cudaGetErrorString(status));
  exit(2);
}

// An array on the device. Nothing frees it before the program ends.
template <class T>
struct Device {
  T* data;
  size_t count;
  operator T*() const { return data; }
};
template <class T>
Device(T*, size_t) -> Device<T>;

// A new array of bytes 0xff: a float that no kernel writes is not a number.
template <class T>
Device<T> Allocate(size_t count) {
  Device<T> array{nullptr, count};
  Check(cudaMalloc(&array.data, count * sizeof(T)));
  Check(cudaMemset(array.data, 0xff, count * sizeof(T)));
  return array;
}

template <class T>
Device<T> Upload(const std::vector<T>& host) {
  const auto array = Allocate<T>(host.size());
  Check(cudaMemcpy(array.data, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return array;
}

// The values of an array, wherever it is.
template <class T>
std::vector<T> Host(const Device<T>& array) {
  std::vector<T> host(array.count);
  Check(cudaMemcpy(host.data(), array.data, array.count * sizeof(T), cudaMemcpyDeviceToHost));
  return host;
}
template <class T>
const std::vector<T>& Host(const std::vector<T>& host) {
  return host;
}

// value(0), value(1), ...
template <class F>
auto Generate(size_t count, F value) {
  std::vector<decltype(value(0))> host(count);
  for (size_t i = 0; i < count; ++i) host[i] = value((int)i);
  return host;
}

// Two sources of random bits, which give the same ones in each run.
struct Random {
  uint32_t state;
  uint32_t operator()() { return state = state * 1664525u + 1013904223u; }
};
template <class Word, int A, int B, int C>
struct Xorshift {
  Word state;
  Word operator()() {
    state ^= state << A;
    state ^= state >> B;
    return state ^= state << C;
  }
};

// Random bits as a number from 0 to 1.
inline float Unit(uint32_t bits) { return (bits >> 8) * (1.f / (1 << 24)); }
inline double Unit(uint64_t bits) { return (bits >> 11) * (1.0 / (1ull << 53)); }

// A matrix stored by rows, stored by columns.
template <class T>
std::vector<T> Transposed(const std::vector<T>& in, size_t rows, size_t columns) {
  std::vector<T> out(in.size());
  for (size_t r = 0; r < rows; ++r)
    for (size_t c = 0; c < columns; ++c) out[c * rows + r] = in[r * columns + c];
  return out;
}

// Rows that begin every `from` elements, beginning every `to`: padded, or cut to their data.
template <class T>
std::vector<T> Repitched(const std::vector<T>& in, size_t from, size_t to) {
  const size_t rows = in.size() / from, width = std::min(from, to);
  std::vector<T> out(rows * to);
  for (size_t r = 0; r < rows; ++r) std::copy_n(&in[r * from], width, &out[r * to]);
  return out;
}

// The indices of keys in the order of the keys, equal ones as they stand.
inline std::vector<int> OrderOf(const std::vector<int>& keys) {
  std::vector<int> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; });
  return order;
}

template <class T>
std::vector<T> InOrder(const std::vector<T>& in, const std::vector<int>& order) {
  return Generate(order.size(), [&](int i) { return in[order[i]]; });
}

// Whether `holds` is true of each number below count; says the first of which it is not.
template <class F>
bool All(size_t count, F holds) {
  for (size_t i = 0; i < count; ++i) {
    if (holds(i)) continue;
    fprintf(stderr, "element %zu: ", i);
    return false;
  }
  return true;
}

// Whether two numbers differ by at most a constant and a part of the first.
inline bool Close(double a, double b, double constant, double part = 0) {
  return std::fabs(a - b) <= constant + part * std::fabs(a);
}
inline bool Close(__half a, __half b, double constant, double part = 0) {
  return Close(__half2float(a), __half2float(b), constant, part);
}

// The same of all elements of two arrays; without tolerances they have to be equal.
template <class A, class B>
bool Near(const A& a, const B& b, double constant = 0, double part = 0) {
  const auto &x = Host(a), &y = Host(b);
  return All(x.size(), [&](size_t i) { return Close(x[i], y[i], constant, part); });
}

// Launches once to warm up, then prints the mean time of five launches.
template <class F>
void Time(const char* name, F launch) {
  launch();
  Check(cudaGetLastError());
  Check(cudaDeviceSynchronize());
  cudaEvent_t begin, end;
  Check(cudaEventCreate(&begin));
  Check(cudaEventCreate(&end));
  Check(cudaEventRecord(begin));
  for (int i = 0; i < 5; ++i) launch();
  Check(cudaEventRecord(end));
  Check(cudaGetLastError());
  Check(cudaEventSynchronize(end));
  float ms = 0;
  Check(cudaEventElapsedTime(&ms, begin, end));
  printf("%s %.4f ms\n", name, ms / 5);
}

// What main returns: 0, 1 for a wrong argument, 3 for results that differ. `naive` and `repaired`
// launch their kernel; `agree` compares what both left.
template <class Naive, class Repaired, class Agree>
int Run(int argc, char** argv, Naive naive, Repaired repaired, Agree agree) {
  const std::string mode = argc > 1 ? argv[1] : "both";
  if (mode != "naive" && mode != "repaired" && mode != "both") {
    fprintf(stderr, "usage: %s naive|repaired|both\n", argv[0]);
    return 1;
  }
  if (mode != "repaired") Time("naive", naive);
  if (mode != "naive") Time("repaired", repaired);
  if (mode != "both") return 0;
  if (!agree()) {
    fprintf(stderr, "results differ\n");
    return 3;
  }
  printf("match\n");
  return 0;
}
