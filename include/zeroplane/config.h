// Compiler facts: the only file that asks which compiler reads it.
// SPDX-License-Identifier: Apache-2.0
#ifndef ZEROPLANE_CONFIG_H
#define ZEROPLANE_CONFIG_H

/// ZP_HD marks a function that runs on the host and on the device and is always inlined, so that a CPU loop compiled
/// for a wider instruction set takes it along. ZP_HD_APART marks the opposite, a rare path that is compiled once and
/// called from there.
#if defined(__CUDACC__)
#define ZP_HD __host__ __device__ __forceinline__
#define ZP_HD_APART __host__ __device__ __noinline__
#else
#define ZP_HD inline __attribute__((always_inline))
#define ZP_HD_APART __attribute__((noinline))
#endif

#if defined(__CUDA_ARCH__)
#define ZP_ON_DEVICE 1
#else
#define ZP_ON_DEVICE 0
#endif

#endif
