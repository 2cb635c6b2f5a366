// SPDX-License-Identifier: Apache-2.0
//
// Databases: filter and aggregate over the rows of an order table, after TPC-H query 1:
// quantity and revenue by (return flag, line status) up to a date of shipment.
#include "harness.h"

struct LineItem {
  long long orderkey;
  int partkey, suppkey;
  int quantity;
  int price;            // cents
  short discount, tax;  // percent
  int shipdate;         // days
  char flag, status;
  char mode[14];
};
static_assert(sizeof(LineItem) == 48, "as in the table file");

constexpr int kGroups = 6;
using Total = unsigned long long;

__global__ void revenue_by_flag_naive(const LineItem* __restrict__ items, Total* quantity,
                                      Total* revenue, int n, int cutoff) {
  __shared__ Total q[kGroups], v[kGroups];
  if (threadIdx.x < kGroups) q[threadIdx.x] = v[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const LineItem& item = items[i];
    if (item.shipdate > cutoff) continue;
    const int group = item.flag * 2 + item.status;
    atomicAdd(&q[group], (Total)item.quantity);
    atomicAdd(&v[group], (Total)item.price * (100 - item.discount));
  }
  __syncthreads();
  if (threadIdx.x < kGroups) {
    atomicAdd(&quantity[threadIdx.x], q[threadIdx.x]);
    atomicAdd(&revenue[threadIdx.x], v[threadIdx.x]);
  }
}

// The columns of the query, each an array.
struct Columns {
  const int* quantity;
  const int* price;
  const short* discount;
  const int* shipdate;
  const char* flag;
  const char* status;
};

__global__ void revenue_by_flag_repaired(Columns items, Total* quantity, Total* revenue, int n,
                                         int cutoff) {
  __shared__ Total q[kGroups], v[kGroups];
  if (threadIdx.x < kGroups) q[threadIdx.x] = v[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    if (items.shipdate[i] > cutoff) continue;
    const int group = items.flag[i] * 2 + items.status[i];
    atomicAdd(&q[group], (Total)items.quantity[i]);
    atomicAdd(&v[group], (Total)items.price[i] * (100 - items.discount[i]));
  }
  __syncthreads();
  if (threadIdx.x < kGroups) {
    atomicAdd(&quantity[threadIdx.x], q[threadIdx.x]);
    atomicAdd(&revenue[threadIdx.x], v[threadIdx.x]);
  }
}

int main(int argc, char** argv) {
  const int n = 2500000, cutoff = 700;
  Random rnd{99};
  const auto below = [&](int m) { return (int)((rnd() >> 8) % m); };
  const auto items = Generate(n, [&](int i) {
    LineItem item{};
    item.orderkey = i / 4;
    item.partkey = below(200000);
    item.suppkey = below(10000);
    item.quantity = 1 + below(50);
    item.price = 100 + below(1000000);
    item.discount = (short)below(11);
    item.tax = (short)below(9);
    item.shipdate = below(2500);
    item.flag = (char)below(3);
    item.status = (char)below(2);
    return item;
  });
  const auto column = [&](auto get) {
    return Upload(Generate(n, [&](int i) { return get(items[i]); }));
  };
  const auto rows = Upload(items);
  const Columns columns{column([](const LineItem& r) { return r.quantity; }),
                        column([](const LineItem& r) { return r.price; }),
                        column([](const LineItem& r) { return r.discount; }),
                        column([](const LineItem& r) { return r.shipdate; }),
                        column([](const LineItem& r) { return r.flag; }),
                        column([](const LineItem& r) { return r.status; })};
  const std::vector<Total> zero(kGroups, 0);
  const auto qa = Upload(zero), va = Upload(zero), qb = Upload(zero), vb = Upload(zero);

  const int threads = 256, blocks = 1056;
  const auto naive = [&] { revenue_by_flag_naive<<<blocks, threads>>>(rows, qa, va, n, cutoff); };
  const auto repaired = [&] {
    revenue_by_flag_repaired<<<blocks, threads>>>(columns, qb, vb, n, cutoff);
  };
  return Run(argc, argv, naive, repaired, [&] { return Near(qa, qb) && Near(va, vb); });
}
