// A reporter for Vitest: its JSON report leaves out what failed outside of the tests, a promise that nobody caught for instance, though the run fails by it.
import fs from 'node:fs';

// oxlint-disable-next-line import/no-default-export -- That is where Vitest looks for it.
export default class UnhandledErrors {
  /** Writes them as a list of `{file, name, why}` to the file that BENCHPORT_UNHANDLED names; `file` is the one that ran then, if one did. */
  onTestRunEnd(_modules, errors) {
    fs.writeFileSync(process.env.BENCHPORT_UNHANDLED, JSON.stringify(errors.flatMap(failuresOf)));
  }
}

function failuresOf(error) {
  const why = [error.stack ?? `${error.name}: ${error.message}`, error.cause?.message ?? ''].join('\n').trim();
  // The process that ran them has crashed.
  const crashed = /while running test files? (.+)$/.exec(error.cause?.message ?? '')?.[1];
  if (crashed !== undefined)
    return crashed.split(', ').map((file) => ({ file, name: 'the whole file', why: error.cause.message }));
  const during = error.VITEST_TEST_NAME ? `, during "${error.VITEST_TEST_NAME}"` : '';
  return [{ file: error.VITEST_TEST_PATH ?? '', name: `outside of the tests${during}`, why }];
}
