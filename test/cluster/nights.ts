/** How much longer than usual the tests of a cluster run: `npm run test:cluster` sets it. */
export const nights = Number(process.env['BENCHPORT_CLUSTER_NIGHTS'] ?? '1');

/** For tests that take long: once usually, ten times at night. */
export const repeated = { repeats: nights - 1 };
