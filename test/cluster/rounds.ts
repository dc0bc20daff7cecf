/** Whether the tests run as often as in `npm run test:cluster`. */
export const isThorough = process.env['BENCHPORT_TEST_CLUSTER'] === 'thorough';

/** Kills in a row, with the load running. */
export const killRounds = isThorough ? 200 : 6;

/** Options of tests that take long. */
export const repeated = { repeats: isThorough ? 9 : 0 };
