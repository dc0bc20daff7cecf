// A reporter for Vitest: its JSON report leaves out what failed outside of the tests, a promise that nobody caught for instance, though the run fails by it.
import fs from 'node:fs';

// oxlint-disable-next-line import/no-default-export -- That is where Vitest looks for it.
export default class UnhandledErrors {
  /** Writes them as a list of `{file, name, why}` to the file that BENCHPORT_UNHANDLED names; `file` is the one that ran then, if one did. */
  onTestRunEnd(_modules, errors) {
    const list = errors.map((error) => ({
      file: error.VITEST_TEST_PATH ?? '',
      name: `outside of the tests${error.VITEST_TEST_NAME ? `, during "${error.VITEST_TEST_NAME}"` : ''}`,
      why: [error.stack ?? `${error.name}: ${error.message}`, error.cause?.message ?? ''].join('\n').trim(),
    }));
    fs.writeFileSync(process.env.BENCHPORT_UNHANDLED, JSON.stringify(list));
  }
}
