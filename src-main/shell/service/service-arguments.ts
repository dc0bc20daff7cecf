/**
 * A small young generation: under load V8 would let it grow by 60 MB without being faster (measured
 * with SDK events). One thread collects it and frees its buffers: when the other cores are busy,
 * V8's helper threads are scheduled late and all work waits for them, three times as long at the
 * median and five times for the slowest quarter.
 */
export const serviceArguments: readonly string[] = [
  '--max-semi-space-size=4',
  '--no-parallel-scavenge',
  '--no-concurrent-array-buffer-sweeping',
];

/**
 * One malloc arena for all threads (mallopt(3)): memory that V8's threads free in arenas of their
 * own cannot be reused by other threads, which costs 13 MB at rest and more under load. Only glibc
 * reads this variable.
 */
export const serviceVariables: Readonly<Record<string, string>> = { MALLOC_ARENA_MAX: '1' };
