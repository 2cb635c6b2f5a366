// SPDX-License-Identifier: Apache-2.0
//
// Graphs, trees, strings and tables: what others wrote decides where to look next.
#include "kinds.h"

namespace {

__global__ void frontier(const int* rows, const int* edges, const int* active, int count, int* seen,
                         int* next, int* next_count) {
  const int i = Thread();
  if (i >= count) return;
  const int node = active[i] % 15000;
  for (int e = rows[node]; e < rows[node + 1]; ++e) {
    const int to = edges[e];
    if (atomicCAS(&seen[to], 0, 1) == 0) next[atomicAdd(next_count, 1)] = to;
  }
}

__global__ void relax_edges(const int2* edges, const float* lengths, int* distance, int count) {
  for (int i = Thread(); i < count; i += gridDim.x * blockDim.x) {
    const int2 edge = edges[i];
    atomicMin(&distance[edge.y], distance[edge.x] + static_cast<int>(lengths[i]));
  }
}

__global__ void pull_ranks(const int* rows, const int* from, const float* rank, float* out, int n) {
  const int node = Thread();
  if (node >= n) return;
  float sum = 0;
  for (int e = rows[node]; e < rows[node + 1]; ++e) sum += rank[from[e]];
  out[node] = 0.15F + 0.85F * sum;
}

__global__ void hook(int* parent, int n) {
  const int i = Thread();
  if (i >= n) return;
  int at = i;
  while (parent[at] != at) at = parent[at];
  parent[i] = at;
}

__global__ void shortest_paths(float* d, int n, int k) {
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && j < n) d[i * n + j] = fminf(d[i * n + j], d[i * n + k] + d[k * n + j]);
}

__global__ void binary_search(const int* sorted, int n, int* out, int step) {
  const int key = Thread() * step;
  int low = 0;
  int high = n;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (sorted[middle] < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  out[Thread()] = low;
}

__global__ void merge_paths(const int* a, const int* b, int n, int* out) {
  const int diagonal = Thread() * 4;
  int low = max(0, diagonal - n);
  int high = min(diagonal, n);
  while (low < high) {
    const int middle = (low + high) >> 1;
    if (a[middle] <= b[diagonal - 1 - middle]) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  int i = low;
  int j = diagonal - low;
  for (int k = 0; k < 4 && diagonal + k < 2 * n; ++k) {
    const bool take_a = j >= n || (i < n && a[i] <= b[j]);
    out[diagonal + k] = take_a ? a[i++] : b[j++];
  }
}

struct Node {
  float low[3];
  int left;
  float high[3];
  int right;
};
__global__ void traverse(const Node* nodes, const float* rays, int* hits) {
  int stack[24];
  int depth = 0;
  stack[depth++] = 0;
  const float x = rays[Thread()];
  int found = 0;
  while (depth > 0 && found < 100) {
    const Node& node = nodes[stack[--depth]];
    if (x < node.low[0] || x > node.high[0]) continue;
    ++found;
    if (node.left > 0 && depth < 22) {
      stack[depth++] = node.left;
      stack[depth++] = node.right;
    }
  }
  hits[Thread()] = found;
}

__global__ void heap_path(const int* heap, int* out, int levels) {
  int at = 0;
  for (int level = 0; level < levels; ++level) {
    const int bit = Thread() >> (levels - 1 - level) & 1;
    at = 2 * at + 1 + bit;
  }
  out[Thread()] = heap[at];
}

__global__ void interpreted(const unsigned char* program, int length, float* out, int n) {
  float value = Thread();
  int at = Thread();
  for (int pc = 0; pc < length; ++pc) {
    switch (program[pc] & 7) {
      case 0:
        value += 1;
        break;
      case 1:
        value *= 2;
        break;
      case 2:
        at = (at + 1) % n;
        break;
      case 3:
        out[at] = value;
        break;
      case 4:
        at = Thread();
        break;
      case 5:
        value = out[n + at];
        break;
      case 6:
        value = -value;
        break;
      default:
        out[2 * n + at] = value;
    }
  }
  out[3 * n + Thread()] = value;
}

__global__ void typed_cells(const int* type, const float* in, float* out, int w) {
  const int i = Thread();
  switch (type[i] % 6) {
    case 0:
      out[i] = in[i];
      break;
    case 1:
      out[i] = in[i + 1] + in[i - 1];
      break;
    case 2:
      out[i] = in[i + w] * 2;
      break;
    case 3:
      out[i] = in[i - w];
      break;
    case 4:
      out[i] = in[2 * i];
      break;
    default:
      out[i + w] = 0;
  }
}

__global__ void anti_diagonals(const char* a, const char* b, int* score, int n) {
  __shared__ int best[3][130];
  for (int d = 0; d < 2 * n - 1; ++d) {
    const int i = threadIdx.x;
    const int j = d - i;
    if (i < n && j >= 0 && j < n) {
      const int match = a[blockIdx.x * n + i] == b[blockIdx.x * n + j] ? 2 : -1;
      const int here = max(0, best[(d + 1) % 3][i] + match);
      best[d % 3][i + 1] = here;
      score[(blockIdx.x * n + i) * n + j] = here;
    }
    __syncthreads();
  }
}

__global__ void count_words(const char* text, int* counts, int n, int k) {
  const int i = Thread();
  if (i + k > n) return;
  int code = 0;
  for (int j = 0; j < k; ++j) code = code * 4 + (text[i + j] & 3);
  atomicAdd(&counts[code], 1);
}

__global__ void checksums(const unsigned char* data, const unsigned* table, unsigned* out,
                          int size) {
  unsigned crc = ~0U;
  const unsigned char* mine = data + Thread() * size;
  for (int i = 0; i < size; ++i) crc = table[(crc ^ mine[i]) & 255U] ^ (crc >> 8U);
  out[Thread()] = ~crc;
}

__global__ void base64(const unsigned char* in, char* out, int triples) {
  const int i = Thread();
  if (i >= triples) return;
  const unsigned three = in[3 * i] << 16U | in[3 * i + 1] << 8U | in[3 * i + 2];
  for (int k = 0; k < 4; ++k) {
    const unsigned six = three >> (18 - 6 * k) & 63U;
    out[4 * i + k] = six < 26   ? 'A' + six
                     : six < 52 ? 'a' + six - 26
                     : six < 62 ? '0' + six - 52
                                : '+';
  }
}

__global__ void queens(int* solutions, int n) {
  const int first = Thread() % n;
  const int second = Thread() / n % n;
  unsigned columns[16];
  unsigned stack = 0;
  columns[0] = 1U << first | 1U << second;
  int count = 0;
  unsigned row = columns[0];
  while (row != 0) {
    row &= row - 1;
    columns[++stack % 16] = row;
    count += __popc(row ^ stack);
  }
  solutions[Thread()] = count;
  solutions[10000 + columns[stack % 16] * 2 + stack] = 1;
}

__global__ void knapsack(const int* before, int* after, int weight, int value, int capacity) {
  const int c = Thread();
  if (c > capacity) return;
  int best = before[c];
  if (c >= weight) best = max(best, before[c - weight] + value);
  after[c] = best;
}

__global__ void suffix_of(const int* rank, int* keys, int n, int h) {
  const int i = Thread();
  if (i >= n) return;
  keys[2 * i] = rank[i];
  keys[2 * i + 1] = i + h < n ? rank[i + h] : -1;
}

}  // namespace

void LaunchSearches(const Arrays& arrays) {
  const auto& [a, b, out, random, rows, zero] = arrays;
  auto* numbers = reinterpret_cast<int*>(out);
  const auto* text = reinterpret_cast<const char*>(random);
  const auto* bytes = reinterpret_cast<const unsigned char*>(random);
  Launch(frontier, 8, 128, arrays, rows, random, random + 7000, 1000, zero, zero + 100000,
         zero + 1000000);
  Launch(relax_edges, 8, 128, arrays, reinterpret_cast<const int2*>(random), a, zero, 5000);
  Launch(pull_ranks, 20, 128, arrays, rows, random, a, out, 2500);
  Launch(hook, 8, 128, arrays, zero, 1000);
  Launch(shortest_paths, dim3(4, 13), dim3(32, 8), arrays, out, 100, 33);
  Launch(binary_search, 8, 128, arrays, rows, 19000, numbers, 500);
  Launch(merge_paths, 8, 128, arrays, rows, rows + 7, 2000, numbers);
  Launch(traverse, 8, 128, arrays, reinterpret_cast<const Node*>(zero), a, numbers);
  Launch(heap_path, 8, 128, arrays, random, numbers, 10);
  Launch(interpreted, 4, 128, arrays, bytes, 100, out, 512);
  Launch(typed_cells, 8, 128, arrays, random, a + 1000, out, 100);
  Launch(anti_diagonals, 10, 128, arrays, text, text + 5000, numbers, 128);
  Launch(count_words, 20, 128, arrays, text, zero, 2500, 6);
  Launch(checksums, 4, 128, arrays, bytes, reinterpret_cast<const unsigned*>(random),
         reinterpret_cast<unsigned*>(out), 75);
  Launch(base64, 8, 128, arrays, bytes, reinterpret_cast<char*>(out), 1000);
  Launch(queens, 4, 64, arrays, numbers, 12);
  Launch(knapsack, 10, 128, arrays, random, numbers, 37, 5, 1200);
  Launch(suffix_of, 10, 128, arrays, random, numbers, 1200, 16);
}
