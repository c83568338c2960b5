//! Upper bounds of the processor: multiply-add without memory access, and reads from the second cache.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use wide::{i16x16, i32x8};

/// Number of independent chains of sums.
const CHAINS: usize = if cfg!(target_feature = "avx2") { 12 } else { 6 };

/// Number of steps of a chain.
const STEPS: usize = 1_000;

/// Bytes read: more than the first cache holds, less than the second.
const BYTES: usize = 512 * 1024;

/// Measures the two upper bounds of the kernels.
pub(crate) fn peaks(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("peak");
    group.throughput(Throughput::Elements((CHAINS * STEPS * 16) as u64));
    group.bench_function("products of i16 added in registers", |bencher| {
        let start: [i32x8; CHAINS] = core::array::from_fn(|chain| i32x8::splat(black_box(chain as i32)));
        let factor = i16x16::splat(black_box(3));
        bencher.iter(|| {
            let mut sums = start;
            for _ in 0..STEPS {
                for sum in &mut sums {
                    // Each sum is an input of the next product, so that the compiler removes no step.
                    *sum += bytemuck::cast::<i32x8, i16x16>(*sum).dot(factor);
                }
            }
            sums.iter().fold(i32x8::splat(0), |all, sum| all + *sum)
        });
    });
    group.throughput(Throughput::Bytes(BYTES as u64));
    group.bench_function("reading from the second cache", |bencher| {
        let memory = vec![i16x16::splat(black_box(1)); BYTES / 32];
        bencher.iter(|| {
            let mut sums = [i16x16::splat(0); 8];
            for vectors in black_box(&memory).as_chunks::<8>().0 {
                sums.iter_mut().zip(vectors).for_each(|(sum, vector)| *sum += *vector);
            }
            sums.iter().fold(i16x16::splat(0), |all, sum| all + *sum)
        });
    });
    group.finish();
}
