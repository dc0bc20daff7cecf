/**
 * A small young generation: under load V8 would let it grow by 60 MB, and no work goes faster for that (measured with events of SDKs). One thread clears it
 * and frees its buffers: where the other cores are busy, with a client on this machine or the window, V8's helpers come late and everything waits for them,
 * three times as long in the middle and five times for the slowest quarter.
 */
export const serviceArguments: readonly string[] = [
  '--max-semi-space-size=4',
  '--no-parallel-scavenge',
  '--no-concurrent-array-buffer-sweeping',
];

/** One arena for all threads (mallopt(3)): what V8's threads free in arenas of their own nobody else gets, 13 MB at rest and more under load. Only glibc reads it. */
export const serviceVariables: Readonly<Record<string, string>> = { MALLOC_ARENA_MAX: '1' };
