// A Vitest reporter: the JSON report omits failures outside of tests, for instance unhandled
// rejections, although they fail the run.
import fs from 'node:fs';

// oxlint-disable-next-line import/no-default-export -- That is where Vitest looks for it.
export default class UnhandledErrors {
  /**
   * Writes a list of `{file, name, why}` to the file in BENCHPORT_UNHANDLED; `file` is the test
   * file that ran at the time, if any.
   */
  onTestRunEnd(_modules, errors) {
    fs.writeFileSync(process.env.BENCHPORT_UNHANDLED, JSON.stringify(errors.flatMap(failuresOf)));
  }
}

function failuresOf(error) {
  const why = [error.stack ?? `${error.name}: ${error.message}`, error.cause?.message ?? ''].join('\n').trim();
  // The worker process that ran the file has crashed.
  const crashed = /while running test files? (.+)$/.exec(error.cause?.message ?? '')?.[1];
  if (crashed !== undefined)
    return crashed.split(', ').map((file) => ({ file, name: 'the whole file', why: error.cause.message }));
  const during = error.VITEST_TEST_NAME ? `, during "${error.VITEST_TEST_NAME}"` : '';
  return [{ file: error.VITEST_TEST_PATH ?? '', name: `outside of the tests${during}`, why }];
}
