#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Compiles the seeds of corpus/machine_code again: small cubins with loops, calls and jump tables,
# and the bare code of some of their kernels. They are committed so that the replay needs no nvcc.
# Run it from anywhere; it needs nvcc and objcopy on PATH.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$here/corpus/machine_code
sources=$here/../unit/machine_code/fixtures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"
for sm in 75 90 120; do
  nvcc -rdc=true -arch=sm_$sm -c -o "$work/wait.o" "$sources/linked_wait.cu"
  nvcc -rdc=true -arch=sm_$sm -c -o "$work/kernels.o" "$sources/linked_kernels.cu"
  nvcc -dlink -cubin -arch=sm_$sm -o "$out/linked_$sm.cubin" "$work/wait.o" "$work/kernels.o"
  for name in waiting working masks; do
    nvcc -std=c++17 -cubin -arch=sm_$sm -o "$work/$name.cubin" "$sources/$name.cu"
  done
  for kernel in waiting.spin_through_a_branch waiting.spin_behind_a_pointer \
    working.searches_in_tiles working.sparse_rows masks.ballot_in_a_loop \
    masks.sound_halves_by_choice; do
    objcopy -I elf64-little -O binary --only-section=".text.${kernel#*.}" \
      "$work/${kernel%%.*}.cubin" "$out/${kernel#*.}_$sm.code"
  done
done
