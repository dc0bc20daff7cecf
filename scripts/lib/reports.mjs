// Reads the reports of the test runners: counts, and what failed with its first lines.
import fs from 'node:fs';
import path from 'node:path';

/**
 * Vitest's JSON report. A file that could not even be loaded, or whose hooks failed, is a failure of its own.
 * @returns {{passed: number, failed: number, skipped: number, failures: {file: string, name: string, why: string}[]} | undefined}
 */
export function readVitest(file) {
  const report = read(file);
  if (!report) return undefined;
  const failures = report.testResults.flatMap((suite) => {
    const bad = suite.assertionResults.filter((one) => one.status === 'failed');
    if (bad.length > 0) return bad.map((one) => ({ file: suite.name, name: one.fullName, why: beginning(one.failureMessages.join('\n')) }));
    return suite.status === 'failed' ? [{ file: suite.name, name: 'the whole file', why: beginning(suite.message) }] : [];
  });
  return { passed: report.numPassedTests, failed: failures.length, skipped: report.numPendingTests + report.numTodoTests, failures };
}

/** Playwright's JSON report, in the same shape. */
export function readPlaywright(file) {
  const report = read(file);
  if (!report) return undefined;
  const { expected, unexpected, flaky, skipped } = report.stats;
  const failures = report.suites.flatMap((suite) => failedSpecs(suite, report.config.rootDir));
  const outside = report.errors.map((error) => ({ file: '', name: 'outside of the tests', why: beginning(error.message) }));
  return { passed: expected, failed: unexpected + flaky + outside.length, skipped, failures: [...failures, ...outside] };
}

function failedSpecs(suite, rootDir) {
  const own = (suite.specs ?? [])
    .filter((spec) => !spec.ok)
    .map((spec) => {
      const messages = spec.tests.flatMap((test) => test.results.flatMap((result) => (result.errors ?? []).map((error) => error.message)));
      return { file: path.join(rootDir, spec.file), name: spec.title, why: beginning(messages.join('\n')) };
    });
  return [...own, ...(suite.suites ?? []).flatMap((inner) => failedSpecs(inner, rootDir))];
}

function beginning(message) {
  return (message ?? '').trim().split('\n').slice(0, 4).join('\n    ');
}

function read(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
