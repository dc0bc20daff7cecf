import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ImpossibleEvent } from '../../../src-shared/states/transitions.ts';
import { accountOperations } from './account-operations.ts';
import { errorOperations } from './error-operations.ts';
import { measurementOperations } from './measurement-operations.ts';
import { beginning, type Operations } from './operation.ts';
import { drawing } from './random.ts';
import { openTwoEngines, type Stores, type TwoEngines } from './two-engines.ts';
import { workOperations } from './work-operations.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 60_000 });

const operations: Operations = {
  ...accountOperations,
  ...measurementOperations,
  ...workOperations,
  ...errorOperations,
};
const names = Object.keys(operations);

let engines: TwoEngines;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: beginning });
  engines = await openTwoEngines();
});
afterEach(async () => {
  vi.useRealTimers();
  await engines.end();
});

/** The answer of a call as a text, the same for all refusals, which engines word differently. */
async function answer(call: (of: Stores) => Promise<unknown>, of: Stores): Promise<string> {
  try {
    const result = await call(of);
    return JSON.stringify(result, (_key, value: unknown) => (value instanceof Map ? [...value] : value)) ?? 'nothing';
  } catch (error) {
    if (error instanceof ImpossibleEvent) return `impossible: ${error.message}`;
    if (error instanceof Error && /constraint/i.test(error.message)) return 'refused';
    throw error;
  }
}

test.each([20_261_126, 7])('10,000 random operations have the same answers on both engines (seed %d)', async (seed) => {
  const draw = drawing(seed);
  const succeeded = new Set<string>();
  for (let step = 0; step < 10_000; step += 1) {
    vi.setSystemTime(beginning + step * 1000);
    const name = draw.one(names);
    const call = operations[name]?.(draw) ?? never();
    const onSqlite = await answer(call, engines.sqlite);
    const onPostgres = await answer(call, engines.postgres);
    if (onPostgres !== onSqlite) throw new Error(`step ${step}: ${name}\nsqlite: ${onSqlite}\npostgres: ${onPostgres}`);
    if (onSqlite !== 'refused') succeeded.add(name);
    // As operations of the service do that remove projects or keys.
    for (const of of [engines.sqlite, engines.postgres]) of.changes.bump();
    await engines.levelIds();
  }
  expect(names.filter((name) => !succeeded.has(name))).toEqual([]);
});

function never(): never {
  throw new Error('no such operation');
}
