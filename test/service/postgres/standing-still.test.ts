import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isUnreachable, isUnwritten } from '../../../src-main/service/database/postgres/failures.ts';
import { openPools, type Pools } from '../../../src-main/service/database/postgres/pools.ts';
import { UnwrittenRetries } from '../../../src-main/service/database/postgres/unwritten-retries.ts';
import { inTransaction } from '../../../src-main/service/database/postgres/transactions.ts';
import { createTestDatabase, execute, type TestDatabase } from './database.ts';

let made: TestDatabase;
let stopped: Pools;
let running: Pools;

beforeEach(async () => {
  made = await createTestDatabase();
  await execute(
    made.url,
    'CREATE TABLE counters (id integer PRIMARY KEY, count integer); INSERT INTO counters VALUES (1, 0)',
  );
  const options = { url: made.url, size: 2, onIdleError: () => undefined };
  [stopped, running] = [await openPools(options), await openPools(options)];
});
afterEach(async () => {
  await Promise.all([stopped.close(), running.close()]);
  await made.remove();
});

const count = 'UPDATE counters SET count = count + 1 WHERE id = 1';

test('a replica that stands still within a transaction makes no write of others fail, and may write again', async () => {
  let isHeld!: () => void;
  const held = new Promise<void>((resolve) => {
    isHeld = resolve;
  });
  const standing = inTransaction(stopped.writing, 'BEGIN', async (connection) => {
    await connection.query(count);
    isHeld();
    await setTimeout(6000);
    await connection.query('SELECT 1');
  }).then(
    () => null,
    (error: unknown) => error,
  );
  await held;
  const write = async () => running.writing.query(count);
  await new UnwrittenRetries().retried({ write }).write();
  const failure = await standing;
  expect([isUnwritten(failure), isUnreachable(failure)]).toEqual([true, true]);
  await inTransaction(stopped.writing, 'BEGIN', async (connection) => connection.query(count));
  const { rows } = await running.reading.query<{ count: number }>('SELECT count FROM counters');
  expect(rows).toEqual([{ count: 2 }]);
});
