import http from 'node:http';
import zlib from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServiceEvents } from '../../../../src-main/service/contract/events.ts';
import { startIngestWorld, type IngestWorld } from '../ingest-world.ts';
import { envelopeOf, sentEvent } from '../sent-event.ts';

let world: IngestWorld;
beforeAll(async () => {
  world = await startIngestWorld();
});
afterAll(async () => world.end());

const errorOf = (id: string) =>
  world.rows<{
    id: number;
    events: number;
    users: number;
    status: string;
    regressed_at: number | null;
    group_id: number;
  }>(
    `SELECT errors.*, group_id FROM errors JOIN error_groups ON error_id = errors.id JOIN error_events ON group_id = error_groups.id WHERE event_id = unhex(?)`,
    id,
  )[0];
const counted = (outcome: string) =>
  world.rows<{ n: number }>('SELECT ifnull(sum(count), 0) AS n FROM ingest_counts WHERE outcome = ?', outcome)[0]?.n;

describe('what is stored', () => {
  it('an id once in a project, however often and at once it comes', async () => {
    const one = sentEvent();
    const before = counted('duplicate') ?? 0;
    const answers = await Promise.all(Array.from({ length: 20 }, async () => world.send('store', JSON.stringify(one))));
    expect(answers.map((answer) => [answer.status, answer.body])).toEqual(
      answers.map(() => [200, { id: one.event_id }]),
    );
    expect(errorOf(one.event_id)?.events).toBe(1);
    expect(counted('duplicate')).toBe(before + 19);
  });

  it('a burst of one new error makes one error', async () => {
    const many = Array.from({ length: 30 }, () => sentEvent({ message: 'the same for all' }));
    await Promise.all(many.map(async (one) => world.send('store', JSON.stringify(one))));
    expect(new Set(many.map((one) => errorOf(one.event_id)?.id)).size).toBe(1);
    expect(errorOf(many[0]?.event_id ?? '')?.events).toBe(30);
  });

  it('each user once: by id, else name, e-mail, address', async () => {
    const users = [
      { id: 1 },
      { id: '1', email: 'a@b' },
      { id: 2 },
      { username: 'alice' },
      { username: 'alice', email: 'x@y' },
      { email: 'x@y' },
      { ip_address: '192.0.2.1' },
      {},
      null,
    ];
    const ids = [];
    for (const user of users) {
      const one = sentEvent({ message: 'whom it hit', user });
      ids.push(one.event_id);
      await world.send('store', JSON.stringify(one));
    }
    expect(errorOf(ids[0] ?? '')).toMatchObject({ events: users.length, users: 5 });
  });

  it('hours, tags, releases and the title of the newest', async () => {
    const exception = (value: string) => ({
      values: [
        { type: 'LabError', value, stacktrace: { frames: [{ function: 'measure', module: 'bench', in_app: true }] } },
      ],
    });
    const older = sentEvent({
      message: undefined,
      exception: exception('first'),
      release: '1',
      environment: 'lab',
      tags: { bench: 'A' },
    });
    const newer = sentEvent({
      message: undefined,
      exception: exception('second'),
      release: '2',
      environment: 'lab',
      tags: { bench: 'B' },
      level: 'fatal',
    });
    for (const one of [older, newer]) await world.send('store', JSON.stringify(one));
    const error = errorOf(newer.event_id);
    expect(error).toMatchObject({
      type: 'LabError',
      value: 'second',
      culprit: 'measure(bench)',
      level: 'fatal',
      first_release: '1',
      last_release: '2',
      events: 2,
    });
    expect(world.rows('SELECT sum(events) AS n FROM error_hours WHERE group_id = ?', error?.group_id)).toEqual([
      { n: 2 },
    ]);
    expect(
      world.rows(
        "SELECT tag, value, events FROM error_tags WHERE group_id = ? AND tag IN ('bench', 'environment') ORDER BY tag, value",
        error?.group_id,
      ),
    ).toEqual([
      { tag: 'bench', value: 'A', events: 1 },
      { tag: 'bench', value: 'B', events: 1 },
      { tag: 'environment', value: 'lab', events: 2 },
    ]);
    expect(
      world.rows(
        'SELECT hex(event_id) AS id FROM error_groups JOIN error_events ON error_events.id = first_event_id WHERE error_groups.id = ?',
        error?.group_id,
      ),
    ).toEqual([{ id: older.event_id.toUpperCase() }]);
  });

  it('no more than a thousand values of a tag in a group; known ones are counted on', async () => {
    const ids = Array.from({ length: 1010 }, () => sentEvent({ message: 'many values' }));
    for (let at = 0; at < ids.length; at += 101) {
      await Promise.all(
        ids
          .slice(at, at + 101)
          .map(async (one, index) =>
            world.send('store', JSON.stringify({ ...one, tags: { request: at + index, bench: 'A' } })),
          ),
      );
    }
    const group = errorOf(ids[0]?.event_id ?? '')?.group_id;
    expect(
      world.rows(
        'SELECT tag, count(*) AS n, max(events) AS events FROM error_tags WHERE group_id = ? AND tag IN (?, ?) GROUP BY tag ORDER BY tag',
        group,
        'bench',
        'request',
      ),
    ).toEqual([
      { tag: 'bench', n: 1, events: 1010 },
      { tag: 'request', n: 1000, events: 1 },
    ]);
  });

  it('a resolved error comes back with a younger event, not with an older one; an ignored one does not', async () => {
    const heard: ServiceEvents['new-error'][] = [];
    const stop = world.service.services.events.subscribe((name, what) => {
      if (name === 'new-error') heard.push(what as ServiceEvents['new-error']);
    });
    const again = async (timestamp: number) => {
      const one = sentEvent({ message: 'it comes back', timestamp });
      await world.send('store', JSON.stringify(one));
      return errorOf(one.event_id);
    };
    const error = await again(Date.now() / 1000);
    const set = (status: string, at: number | null) =>
      world.database
        .prepare('UPDATE errors SET status = ?, resolved_at = ?, regressed_at = NULL WHERE id = ?')
        .run(status, at, error?.id);
    const resolvedAt = Date.now() - 60_000;
    set('resolved', resolvedAt);
    expect(await again((resolvedAt - 5000) / 1000)).toMatchObject({
      status: 'resolved',
      regressed_at: null,
      events: 2,
    });
    expect(await again((resolvedAt + 5000) / 1000)).toMatchObject({
      status: 'unresolved',
      regressed_at: expect.any(Number),
      events: 3,
    });
    set('ignored', null);
    expect(await again(Date.now() / 1000)).toMatchObject({ status: 'ignored', regressed_at: null, events: 4 });
    stop();
    expect(heard.map((one) => [one.kind, one.error_id, one.title])).toEqual([
      ['new', String(error?.id), 'it comes back'],
      ['regressed', String(error?.id), 'it comes back'],
    ]);
  });

  it('those who listen hear of many events twice a second at most', async () => {
    let heard = 0;
    const stop = world.service.services.events.subscribe((name, what) => {
      if (name === 'changed' && 'topic' in what && what.topic === 'errors') heard += 1;
    });
    const started = performance.now();
    for (let count = 0; count < 40; count += 1)
      await world.send('store', JSON.stringify(sentEvent({ message: 'loop' })));
    // A fast machine has sent them all before it is told of the first.
    await expect.poll(() => heard).toBeGreaterThan(0);
    const seconds = (performance.now() - started) / 1000;
    stop();
    expect(heard).toBeLessThanOrEqual(2 + Math.ceil(seconds * 2));
  });
});

describe('what is not stored', () => {
  const flushed = async () => new Promise((resolve) => setTimeout(resolve, 1300));

  it('other item types are counted, with events beside them stored', async () => {
    const one = sentEvent();
    const types = [
      'transaction',
      'attachment',
      'client_report',
      'user_report',
      'feedback',
      'check_in',
      'profile',
      'replay_event',
      'log',
      'span',
      'statsd',
      'something_new',
      'Not A Type',
    ];
    const items = types.map((type) => [{ type }, '{"nonsense'] as const);
    expect(await world.send('envelope', envelopeOf({}, ...items, [{ type: 'event' }, one]))).toMatchObject({
      status: 200,
      body: { id: one.event_id },
    });
    expect(await world.send('envelope', envelopeOf({ event_id: 'c'.repeat(32) }, ...items))).toMatchObject({
      status: 200,
      body: { id: 'c'.repeat(32) },
    });
    await flushed();
    expect(types.slice(0, -1).map((type) => counted(`item:${type}`))).toEqual(types.slice(0, -1).map(() => 2));
    expect(counted('item:other')).toBe(2);
  });

  it('what is malformed or too large, and nothing else of its request', async () => {
    const before = world.rows('SELECT 1 FROM error_events').length;
    const large = JSON.stringify(sentEvent({ extra: { a: 'x'.repeat(1024 * 1024) } }));
    expect((await world.send('store', large)).status).toBe(413);
    expect((await world.send('store', zlib.gzipSync(large), { 'content-encoding': 'gzip' })).status).toBe(413);
    expect((await world.send('envelope', envelopeOf({}, [{ type: 'event' }, large]))).status).toBe(413);
    expect((await world.send('store', Buffer.alloc(21 * 1024 * 1024))).status).toBe(413);
    expect((await world.send('store', '{"a":')).status).toBe(400);
    expect(
      (
        await world.send(
          'envelope',
          envelopeOf({}, [{ type: 'event' }, sentEvent()], [{ type: 'event', length: 99 }, '{}']),
        )
      ).status,
    ).toBe(400);
    expect(world.rows('SELECT 1 FROM error_events')).toHaveLength(before);
    await flushed();
    expect(counted('too-large')).toBe(4);
    expect(counted('malformed')).toBeGreaterThanOrEqual(2);
  });

  it('an attachment of many megabytes costs no memory, and what is with it is stored', async () => {
    const one = sentEvent();
    const attachment = Buffer.alloc(60 * 1024 * 1024, 'a');
    const body = zlib.gzipSync(
      Buffer.concat([
        Buffer.from(`{}\n{"type":"attachment","length":${attachment.length}}\n`),
        attachment,
        Buffer.from(`\n{"type":"event"}\n${JSON.stringify(one)}`),
      ]),
      { level: 1 },
    );
    expect((await world.send('envelope', body, { 'content-encoding': 'gzip' })).status).toBe(200);
    expect(world.event(one.event_id)).not.toBeNull();
  });

  it('a connection that breaks off leaves nothing', async () => {
    const one = sentEvent();
    const url = new URL(
      `${world.service.url}/api/v4/error_tracking/collector/api/${world.projectId}/store/?sentry_key=${world.publicKey}`,
    );
    await new Promise<void>((resolve) => {
      const request = http.request(url, { method: 'POST', headers: { 'content-length': '10000' } });
      request.on('error', () => resolve());
      request.write(JSON.stringify(one), () => setTimeout(() => request.destroy(), 50));
    });
    expect((await world.send('store', JSON.stringify(sentEvent()))).status).toBe(200);
    expect(world.event(one.event_id)).toBeNull();
  });
});

it('a large event is stored like any other, from its own thread', async () => {
  const extra = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`k${index}`, { text: 'x'.repeat(900) }]));
  const one = sentEvent({ extra });
  expect((await world.send('store', JSON.stringify(one))).status).toBe(200);
  expect(world.event(one.event_id)?.extra).toEqual(extra);
  expect((await world.send('store', `${' '.repeat(200_000)}[]`)).status).toBe(400);
});
