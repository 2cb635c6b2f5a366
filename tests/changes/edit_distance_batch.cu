// SPDX-License-Identifier: Apache-2.0
//
// Levenshtein distance of 65536 short DNA reads (80 bases) to one 64-base primer, one
// read per thread, with a rolling dynamic-programming row in a device work area.
// Usage: edit_distance_batch naive|repaired|both
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define CK(call)                                                            \
  do {                                                                      \
    cudaError_t err_ = (call);                                              \
    if (err_ != cudaSuccess) {                                              \
      fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(err_)); \
      exit(2);                                                              \
    }                                                                       \
  } while (0)

struct ReadSet {
  const uint8_t* __restrict__ bases;     // [position][read]
  const uint8_t* __restrict__ read_len;  // [read]
  int reads;
};

struct Primer {
  const uint8_t* __restrict__ bases;
  int len;
};

__global__ void edit_distance_batch_naive(ReadSet set, Primer pr, uint16_t* __restrict__ work,
                                          uint16_t* __restrict__ dist) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= set.reads) return;
  uint16_t* row = work + (size_t)r * (pr.len + 1);
  for (int j = 0; j <= pr.len; ++j) row[j] = (uint16_t)j;
  const int len = set.read_len[r];
  for (int i = 0; i < len; ++i) {
    const uint8_t base = set.bases[(size_t)i * set.reads + r];
    int diag = i, left = i + 1;
    for (int j = 1; j <= pr.len; ++j) {
      const int up = row[j];
      const int sub = diag + (base != pr.bases[j - 1]);
      left = min(min(left, up) + 1, sub);
      diag = up;
      row[j] = (uint16_t)left;
    }
  }
  dist[r] = row[pr.len];
}

__global__ void edit_distance_batch_repaired(ReadSet set, Primer pr, uint16_t* __restrict__ work,
                                             uint16_t* __restrict__ dist) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= set.reads) return;
  uint16_t* col = work + r;
  const size_t step = set.reads;
  for (int j = 0; j <= pr.len; ++j) col[j * step] = (uint16_t)j;
  const int len = set.read_len[r];
  for (int i = 0; i < len; ++i) {
    const uint8_t base = set.bases[(size_t)i * set.reads + r];
    int diag = i, left = i + 1;
    for (int j = 1; j <= pr.len; ++j) {
      const int up = col[j * step];
      const int sub = diag + (base != pr.bases[j - 1]);
      left = min(min(left, up) + 1, sub);
      diag = up;
      col[j * step] = (uint16_t)left;
    }
  }
  dist[r] = col[pr.len * step];
}

template <class F>
static float time_ms(F launch) {
  launch();
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  cudaEvent_t a, b;
  CK(cudaEventCreate(&a));
  CK(cudaEventCreate(&b));
  CK(cudaEventRecord(a));
  for (int r = 0; r < 5; ++r) launch();
  CK(cudaEventRecord(b));
  CK(cudaEventSynchronize(b));
  CK(cudaGetLastError());
  float ms = 0.f;
  CK(cudaEventElapsedTime(&ms, a, b));
  return ms / 5.f;
}

template <typename T>
static T* upload(const std::vector<T>& h) {
  T* d = nullptr;
  CK(cudaMalloc(&d, h.size() * sizeof(T)));
  CK(cudaMemcpy(d, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice));
  return d;
}

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "both";
  const int reads = 65536, max_len = 80, primer_len = 64;

  uint32_t s = 555u;
  auto rnd = [&] {
    s = s * 1664525u + 1013904223u;
    return s >> 16;
  };
  static const char acgt[5] = "ACGT";
  std::vector<uint8_t> primer(primer_len), bases((size_t)max_len * reads), lens(reads);
  for (auto& b : primer) b = acgt[rnd() & 3];
  for (int r = 0; r < reads; ++r) {
    lens[r] = (uint8_t)(max_len - (rnd() % 8 == 0 ? rnd() % 4 : 0));
    for (int i = 0; i < max_len; ++i) {
      const bool keep = rnd() % 8 != 0 && i < primer_len;
      bases[(size_t)i * reads + r] = keep ? primer[i] : (uint8_t)acgt[rnd() & 3];
    }
  }
  const ReadSet set{upload(bases), upload(lens), reads};
  const Primer pr{upload(primer), primer_len};
  uint16_t *d_work = nullptr, *d_dist = nullptr;
  const size_t work_bytes = (size_t)reads * (primer_len + 1) * sizeof(uint16_t);
  CK(cudaMalloc(&d_work, work_bytes));
  CK(cudaMalloc(&d_dist, reads * sizeof(uint16_t)));

  std::vector<uint16_t> r0(reads), r1(reads);
  if (mode != "repaired") {
    CK(cudaMemset(d_dist, 0xff, reads * sizeof(uint16_t)));
    const float ms =
        time_ms([&] { edit_distance_batch_naive<<<reads / 128, 128>>>(set, pr, d_work, d_dist); });
    printf("naive    %.4f ms\n", ms);
    CK(cudaMemcpy(r0.data(), d_dist, reads * sizeof(uint16_t), cudaMemcpyDeviceToHost));
  }
  if (mode != "naive") {
    CK(cudaMemset(d_dist, 0xff, reads * sizeof(uint16_t)));
    const float ms = time_ms(
        [&] { edit_distance_batch_repaired<<<reads / 128, 128>>>(set, pr, d_work, d_dist); });
    printf("repaired %.4f ms\n", ms);
    CK(cudaMemcpy(r1.data(), d_dist, reads * sizeof(uint16_t), cudaMemcpyDeviceToHost));
  }
  if (mode == "both") {
    for (int r = 0; r < reads; ++r)
      if (r0[r] != r1[r]) {
        fprintf(stderr, "mismatch at read %d: %d %d\n", r, r0[r], r1[r]);
        return 1;
      }
    // a few reads against a host computation
    for (int r = 0; r < reads; r += 4099) {
      std::vector<int> row(primer_len + 1);
      for (int j = 0; j <= primer_len; ++j) row[j] = j;
      for (int i = 0; i < lens[r]; ++i) {
        int diag = row[0];
        row[0] = i + 1;
        for (int j = 1; j <= primer_len; ++j) {
          const int up = row[j];
          const int sub = diag + (bases[(size_t)i * reads + r] != primer[j - 1]);
          int best = (row[j - 1] < up ? row[j - 1] : up) + 1;
          if (sub < best) best = sub;
          row[j] = best;
          diag = up;
        }
      }
      if (row[primer_len] != r0[r]) {
        fprintf(stderr, "host mismatch at read %d: %d %d\n", r, row[primer_len], r0[r]);
        return 1;
      }
    }
    printf("match\n");
  }
  return 0;
}
