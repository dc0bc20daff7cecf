// Reads the reports of the test runners: counts, and the first lines of each failure.
import fs from 'node:fs';
import path from 'node:path';

const leftOut = 'it did not run';
const wholeFile = 'the whole file';

/**
 * Reads Vitest's JSON report and our reporter's list of failures outside of tests. A file that
 * could not be loaded, or whose hooks failed, counts as one failure. @typedef {{file: string, name:
 * string, why: string}} Named
 * @returns {{passed: number, failed: number, skipped: Named[], failures: Named[]} | undefined}
 */
export function readVitest(file, unhandled) {
  const report = read(file);
  if (!report) return undefined;
  const failures = report.testResults.flatMap((suite) => {
    const bad = suite.assertionResults.filter((one) => one.status === 'failed');
    if (bad.length > 0)
      return bad.map((one) => ({
        file: suite.name,
        name: one.fullName,
        why: beginning(one.failureMessages.join('\n')),
      }));
    return suite.status === 'failed' ? [{ file: suite.name, name: wholeFile, why: beginning(suite.message) }] : [];
  });
  failures.push(...(read(unhandled) ?? []).map((one) => ({ ...one, why: beginning(one.why) })));
  // Tests skipped because their whole file failed are covered by that failure; those that a facility
  // cannot run are in the list of test/cluster/left-out.ts.
  const skipped = report.testResults
    .filter((suite) => !failures.some((one) => one.file === suite.name && one.name === wholeFile))
    .flatMap((suite) =>
      suite.assertionResults
        .filter((one) => one.status !== 'passed' && one.status !== 'failed' && one.meta?.leftOut === undefined)
        .map((one) => ({ file: suite.name, name: one.fullName, why: leftOut })),
    );
  return { passed: report.numPassedTests, failed: failures.length, skipped, failures };
}

/** Reads Playwright's JSON report into the format of `readVitest`. */
export function readPlaywright(file) {
  const report = read(file);
  if (!report) return undefined;
  const { expected, unexpected, flaky } = report.stats;
  const specs = report.suites
    .flatMap(specsOf)
    .map((spec) => ({ spec, file: path.join(report.config.rootDir, spec.file), name: spec.title }));
  const failures = specs
    .filter(({ spec }) => !spec.ok)
    .map(({ spec, file: where, name }) => ({ file: where, name, why: messagesOf(spec) }));
  const skipped = specs
    .filter(({ spec }) => spec.tests.some((test) => test.status === 'skipped'))
    .map(({ file: where, name }) => ({ file: where, name, why: leftOut }));
  const outside = report.errors.map((error) => ({
    file: '',
    name: 'outside of the tests',
    why: beginning(error.message),
  }));
  return {
    passed: expected,
    failed: unexpected + flaky + outside.length,
    skipped,
    failures: [...failures, ...outside],
  };
}

function specsOf(suite) {
  return [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];
}

function messagesOf(spec) {
  const messages = spec.tests.flatMap((test) =>
    test.results.flatMap((result) => (result.errors ?? []).map((error) => error.message)),
  );
  return beginning(messages.join('\n'));
}

function beginning(message) {
  return (message ?? '').trim().split('\n').slice(0, 6).join('\n    ');
}

function read(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
