// Reads the reports of the test runners into two numbers.
import fs from 'node:fs';

/** Counts of vitest's JSON report. A file that could not even be loaded is a failure of its own; so is a skipped case. */
export function readVitest(file) {
  const report = read(file);
  if (!report) return undefined;
  const unloaded = report.testResults.filter((suite) => suite.status === 'failed' && !suite.assertionResults.some((one) => one.status === 'failed')).length;
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded, skipped: report.numPendingTests + report.numTodoTests };
}

/** Counts of Playwright's JSON report. */
export function readPlaywright(file) {
  const report = read(file);
  if (!report) return undefined;
  const { expected, unexpected, flaky, skipped } = report.stats;
  return { passed: expected, failed: unexpected + flaky + report.errors.length, skipped };
}

function read(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
