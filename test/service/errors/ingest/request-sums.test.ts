import Database from 'better-sqlite3';
import { setImmediate as turn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { storeContext } from '../../../../src-main/service/database/store-context.ts';
import { GroupCommit } from '../../../../src-main/service/database/sqlite/group-commit.ts';
import { RequestBatches } from '../../../../src-main/service/errors/events/request-batches.ts';
import { eventPreparer } from '../../../../src-main/service/errors/ingest/event-thread.ts';
import { tagValueWriter } from '../../../../src-main/service/errors/store/tag-values-store.ts';
import { startIngestWorld, type IngestWorld } from '../ingest-world.ts';
import { context } from '../normalise/normalised.ts';

const MiB = 1024 * 1024;

let world: IngestWorld | null = null;
afterEach(async () => {
  await world?.end();
  world = null;
});

const gzip = { 'content-encoding': 'gzip' };
type Item = readonly [type: string, payload: string];
const envelopeOf = (items: readonly Item[], header: object = {}) =>
  new Uint8Array(
    gzipSync(
      [
        JSON.stringify(header),
        ...items.flatMap(([type, payload]) => [JSON.stringify({ type, length: Buffer.byteLength(payload) }), payload]),
      ].join('\n'),
    ),
  );
const zeros = (bytes: number): Item => ['attachment', '0'.repeat(bytes)];
const small = JSON.stringify({ message: 'small' });
const flushed = async () => new Promise((resolve) => setTimeout(resolve, 1300));

describe('M1: the share of bytes counts', () => {
  const ingestLimits = { keyBytesBurst: 2 * MiB, keyBytesPerSecond: 1 };

  test('what is inflated, also of items that are not stored', async () => {
    world = await startIngestWorld({ ingestLimits });
    const body = envelopeOf([zeros(2.5 * MiB)]);
    expect(body.length).toBeLessThan(10_000);
    expect((await world.send('envelope', body, gzip)).status).toBe(200);
    const refused = await world.send('store', small);
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
  });

  test('a body that is refused', async () => {
    world = await startIngestWorld({ ingestLimits });
    const body = new Uint8Array(gzipSync(Buffer.alloc(20 * MiB)));
    for (let count = 0; count < 2; count += 1) expect((await world.send('store', body, gzip)).status).toBe(413);
    expect((await world.send('store', small)).status).toBe(429);
  });

  test('a body while it is inflated: it ends soon after the share', async () => {
    world = await startIngestWorld({ ingestLimits });
    const answers = await Promise.all(
      Array.from({ length: 5 }, async () =>
        world?.send('envelope', envelopeOf([zeros(40 * MiB), ['event', small]]), gzip),
      ),
    );
    expect(answers.map((answer) => [answer?.status, Number(answer?.headers.get('retry-after')) > 0])).toEqual(
      Array.from({ length: 5 }, () => [429, true]),
    );
    expect(world.rows('SELECT 1 FROM error_events')).toHaveLength(0);
    await flushed();
    expect(world.rows('SELECT outcome, count FROM ingest_counts')).toEqual([{ outcome: 'rate-limit', count: 5 }]);
  });

  test('requests without a key against their network; a tunnel whose envelope names one is counted for that key alone', async () => {
    world = await startIngestWorld({ ingestLimits });
    const sending = world;
    const dsn = `http://${sending.publicKey}@localhost/${sending.projectId}`;
    const tunnel = async (items: readonly Item[], header: object) =>
      (await sending.send('envelope', envelopeOf(items, header), gzip, '')).status;
    for (let count = 0; count < 3; count += 1)
      expect(await tunnel([['event', JSON.stringify({ message: `${count}` })], zeros(MiB / 2)], { dsn })).toBe(200);
    expect(await tunnel([zeros(2.5 * MiB)], {})).toBe(400);
    expect(await tunnel([zeros(10)], {})).toBe(429);
    // Whoever names the key with the request itself is not kept out by strangers of the same network.
    expect((await sending.send('store', small)).status).toBe(200);
    expect((await sending.send('envelope', envelopeOf([zeros(MiB)]), gzip)).status).toBe(200);
    expect((await sending.send('store', small)).status).toBe(429);
  });
});

describe('M1: an envelope of many counts of sessions', () => {
  const started = new Date().toISOString();
  const counts = (release: string, length: number): Item => [
    'sessions',
    JSON.stringify({
      attrs: { release },
      aggregates: Array.from({ length }, (_none, at) => ({ started, did: `u${at}`, exited: 1 })),
    }),
  ];

  test('records a thousand and says how many it left out', async () => {
    world = await startIngestWorld();
    expect(
      (await world.send('envelope', envelopeOf(Array.from({ length: 30 }, (_none, at) => counts(`r${at}`, 400))), gzip))
        .status,
    ).toBe(200);
    expect(world.rows('SELECT release, sessions FROM release_days ORDER BY sessions DESC')).toEqual([
      { release: 'r0', sessions: 400 },
      { release: 'r1', sessions: 400 },
      { release: 'r2', sessions: 200 },
    ]);
    expect(world.rows('SELECT 1 FROM release_users')).toHaveLength(1000);
    await flushed();
    expect(world.rows("SELECT count FROM ingest_counts WHERE outcome = 'too-many-items'")).toEqual([
      { count: 200 + 27 },
    ]);
  });

  test('keeps a megabyte of them', async () => {
    world = await startIngestWorld();
    const items = Array.from({ length: 20 }, (_none, at): Item => [
      'sessions',
      JSON.stringify({ attrs: { release: `r${at}` }, aggregates: [{ exited: 1 }], x: 'x'.repeat(90_000) }),
    ]);
    expect((await world.send('envelope', envelopeOf(items), gzip)).status).toBe(200);
    expect(world.rows('SELECT 1 FROM release_days')).toHaveLength(12);
  });

  test('counts each that cannot be read, and records the others', async () => {
    world = await startIngestWorld();
    expect(
      (await world.send('envelope', envelopeOf([['sessions', 'x'], counts('good', 1), ['session', '{}']]), gzip))
        .status,
    ).toBe(400);
    expect(world.rows('SELECT release FROM release_days')).toEqual([{ release: 'good' }]);
    await flushed();
    expect(world.rows("SELECT count FROM ingest_counts WHERE outcome = 'malformed'")).toEqual([{ count: 2 }]);
  });
});

test('M1: made-up types of items become few rows', async () => {
  world = await startIngestWorld();
  for (let round = 0; round < 3; round += 1) {
    const items = Array.from({ length: 100 }, (_none, at): Item => [
      `made_up_${'abc'[round]}${'x'.repeat(at % 10)}${'y'.repeat(Math.floor(at / 10))}`,
      '',
    ]);
    expect((await world.send('envelope', envelopeOf([...items, ['log', '']]), gzip)).status).toBe(200);
    await flushed();
  }
  expect(world.rows('SELECT 1 FROM ingest_counts').length).toBeLessThanOrEqual(52);
  expect(
    world.rows("SELECT count FROM ingest_counts WHERE outcome IN ('item:log', 'item:other') ORDER BY count"),
  ).toEqual([{ count: 3 }, { count: 250 }]);
});

test('C1: the values of a tag are counted once, however many come', async () => {
  const asked: string[] = [];
  const database = new Database(':memory:', { verbose: (sql) => void asked.push(String(sql)) });
  try {
    database.exec('CREATE TABLE error_tags (group_id, tag, value, events, last_seen)');
    let now = 0;
    const counting = tagValueWriter(() => now);
    const { database: port } = storeContext(database);
    const count = async (...value: Parameters<typeof counting>) => port.transaction(() => counting(...value));
    for (let value = 0; value < 1200; value += 1) await count(1, 'request', `${value}`, { count: 1, last: value });
    expect(asked.filter((sql) => sql.includes('count(*)'))).toHaveLength(1);
    expect(database.prepare('SELECT count(*) FROM error_tags').pluck().get()).toBe(1000);
    // A full list of values is counted again after a minute.
    database.exec("DELETE FROM error_tags WHERE value = '0'");
    now = 60_000;
    for (const value of ['new', 'newer']) await count(1, 'request', value, { count: 1, last: 1 });
    expect(database.prepare("SELECT value FROM error_tags WHERE value LIKE 'new%'").pluck().all()).toEqual(['new']);
  } finally {
    database.close();
  }
});

test('C1: heavy works share no transaction', async () => {
  const asked: string[] = [];
  const database = new Database(':memory:', { verbose: (sql) => void asked.push(String(sql)) });
  try {
    const groupCommit = new GroupCommit(database);
    const order: number[] = [];
    const works = [100, 100, 100, 900, 1, 1].map(async (weight, at) =>
      groupCommit.run(() => void order.push(at), null, weight),
    );
    await Promise.all(works);
    expect(order).toEqual([0, 1, 2, 3, 4, 5]);
    expect(asked.filter((sql) => sql.startsWith('BEGIN'))).toHaveLength(4);
  } finally {
    database.close();
  }
});

test('C1: of large events that come at once each turn of the event loop reads one', async () => {
  const preparer = eventPreparer(new RequestBatches());
  try {
    const body = Buffer.from(
      JSON.stringify({ message: 'x', extra: { list: Array.from({ length: 900 }, () => 'x'.repeat(100)) } }),
    );
    let turns = 0;
    const turnsOf: number[] = [];
    const all = Promise.all(
      Array.from({ length: 16 }, async () => {
        await preparer.prepare(body, context);
        turnsOf.push(turns);
      }),
    );
    while (turnsOf.length < 16) {
      await turn();
      turns += 1;
    }
    await all;
    expect(new Set(turnsOf).size).toBe(16);
  } finally {
    await preparer.close();
  }
});
