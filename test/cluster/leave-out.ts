import path from 'node:path';
import { beforeAll, beforeEach, type RunnerTask, type RunnerTestCase } from 'vitest';
import { leftOut, type LeftOut } from './left-out.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Why a test does not run against a facility. */
    leftOut?: string;
  }
}

const root = path.resolve(import.meta.dirname, '../..');

// oxlint-disable-next-line no-empty-pattern -- Vitest reads the fixtures of a hook from this pattern.
beforeAll(({}, { file }) => {
  const of = path.relative(root, file.filepath);
  const found = new Set(file.tasks.flatMap(testsOf).map(entryOf));
  const gone = leftOut.filter((one) => one.file === of && !found.has(one));
  if (gone.length > 0) throw new Error(`no test is called ${gone.map(({ test }) => JSON.stringify(test)).join(', ')}`);
});

beforeEach(({ task, skip }) => {
  const entry = entryOf(task);
  if (entry === null) return;
  task.meta.leftOut = entry.reason;
  skip(entry.reason);
});

function testsOf(task: RunnerTask): readonly RunnerTestCase[] {
  return task.type === 'suite' ? task.tasks.flatMap(testsOf) : [task];
}

/** The entry of a test in the list, or null. */
function entryOf(task: RunnerTestCase): LeftOut | null {
  const names: string[] = [task.name];
  for (let suite = task.suite; suite !== undefined; suite = suite.suite) names.unshift(suite.name);
  const file = path.relative(root, task.file.filepath);
  return leftOut.find((one) => one.file === file && names.join(' ').startsWith(one.test)) ?? null;
}
