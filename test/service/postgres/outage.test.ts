import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { LastingConnection } from '../../../src-main/service/database/postgres/replica/lasting-connection.ts';
import { RepeatedLooks } from '../../../src-main/service/database/postgres/replica/repeated-looks.ts';
import { startRelay } from '../../cluster/relay.ts';
import { createTestDatabase } from './database.ts';

test('an outage is told once by a connection that is made anew, and the next one again', async () => {
  const made = await createTestDatabase();
  const own = new URL(made.url);
  const relay = await startRelay(Number(own.port));
  own.port = String(relay.port);
  const told: unknown[] = [];
  let connections = 0;
  const connection = new LastingConnection({
    connect: () => new pg.Client({ connectionString: own.href }),
    prepare: async () => void (connections += 1),
    onLost: (error) => told.push(error),
  });
  connection.keep();
  for (const outage of [1, 2]) {
    await expect.poll(() => connections, { timeout: 20_000 }).toBe(outage);
    relay.switchTo(null);
    await setTimeout(2500);
    expect(told).toHaveLength(outage);
    relay.switchTo(Number(new URL(made.url).port));
  }
  await connection.close();
  await relay.end();
  await made.remove();
});

test('who asks for a look waits for two at most, however many ask meanwhile', async () => {
  let running = 0;
  const look = async () => {
    running += 1;
    expect(running).toBe(1);
    await setTimeout(50);
    running -= 1;
  };
  const looks = new RepeatedLooks(look, () => undefined);
  let answered = 0;
  const asked: Promise<void>[] = [];
  for (let at = 0; at < 100; at += 1) {
    asked.push(looks.now().then(() => void (answered += 1)));
    await setTimeout(5);
  }
  expect(answered).toBeGreaterThan(50);
  await Promise.all(asked);
});

test('failed looks are told once, until one succeeds', async () => {
  const told: string[] = [];
  let isAway = true;
  const look = async () => {
    if (isAway) throw new Error('away');
  };
  const looks = new RepeatedLooks(look, (_error, message) => told.push(message));
  for (const away of [true, true, true, false, true, true]) {
    isAway = away;
    await looks.now();
  }
  expect(told).toEqual(Array.from({ length: 2 }, () => 'the database does not say whether access changed'));
});
