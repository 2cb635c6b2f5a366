// SPDX-License-Identifier: Apache-2.0
//
// A template functor that reads one column of a matrix stored by rows.
#pragma once

template <typename T>
struct Column {
  const T* matrix;
  int width;
  int col;

  __device__ T operator()(int row) const {
    // Two call sites, two findings, both on this line: their inline chains tell them apart.
    // expect: load sites=2 sectors=32 ideal=4 lines=32
    return matrix[row * width + col];
  }
};
