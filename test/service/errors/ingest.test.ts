import http from 'node:http';
import zlib from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServiceEvents } from '../../../src-main/service/contract/events.ts';
import { startIngestWorld, type IngestWorld } from './ingest-world.ts';

let world: IngestWorld;
beforeAll(async () => {
  world = await startIngestWorld();
});
afterAll(async () => world.end());

let next = 0;
function newId(): string {
  next += 1;
  return next.toString(16).padStart(32, '0');
}
const event = (changes: Record<string, unknown> = {}) => ({
  event_id: newId(),
  message: `message of test ${'x'.repeat(next)}`,
  timestamp: Date.now() / 1000,
  ...changes,
});
const envelope = (header: unknown, ...items: readonly (readonly [unknown, unknown])[]) =>
  [header, ...items.flat()].map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join('\n');
const errorOf = (id: string) =>
  world.rows<{ id: number; events: number; users: number; status: string; regressed_at: number | null; group_id: number }>(
    `SELECT errors.*, group_id FROM errors JOIN error_groups ON error_id = errors.id JOIN error_events ON group_id = error_groups.id WHERE event_id = unhex(?)`,
    id,
  )[0];
const counted = (outcome: string) => world.rows<{ n: number }>('SELECT ifnull(sum(count), 0) AS n FROM ingest_counts WHERE outcome = ?', outcome)[0]?.n;

describe('the client key', () => {
  const send = async (headers: Record<string, string>, query = '') => {
    const one = event();
    const answer = await world.send('store', JSON.stringify(one), headers, query);
    return { status: answer.status, stored: world.event(one.event_id) !== null };
  };
  const taken = { status: 200, stored: true };
  it.each([
    ['in the query', (key: string) => send({}, `?sentry_version=7&sentry_key=${key}`)],
    ['in X-Sentry-Auth', (key: string) => send({ 'x-sentry-auth': `Sentry sentry_version=7, sentry_key=${key}, sentry_client=a/1` })],
    ['without spaces', (key: string) => send({ 'x-sentry-auth': `Sentry sentry_version=7,sentry_client=a/1,sentry_key=${key}` })],
    ['in the order of the legacy client', (key: string) => send({ 'x-sentry-auth': `Sentry sentry_version=4, sentry_key=${key}, sentry_secret=s` })],
    ['in Authorization', (key: string) => send({ authorization: `Sentry sentry_key=${key}` })],
    ['as Basic', (key: string) => send({ authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` })],
    ['first in the query, whatever the headers say', (key: string) => send({ 'x-sentry-auth': 'Sentry sentry_key=wrong' }, `?sentry_key=${key}`)],
  ] as const)('%s is found', async (_what, sending) => {
    expect(await sending(world.publicKey)).toEqual(taken);
  });

  it('in the header of an envelope is enough, with a secret or without', async () => {
    for (const secret of ['', ':0123']) {
      const one = event();
      const dsn = `http://${world.publicKey}${secret}@127.0.0.1/api/v4/error_tracking/collector/${world.projectId}`;
      expect((await world.send('envelope', envelope({ dsn }, [{ type: 'event' }, one]), {}, '')).status).toBe(200);
      expect(world.event(one.event_id)).not.toBeNull();
    }
  });

  it('is refused with the same 404 when it is unknown, of another project, or the feature is off', async () => {
    const other = await world.project('other');
    const off = await world.project('off', false);
    const at = async (project: number, key: string) => {
      const url = `${world.service.url}/api/v4/error_tracking/collector/api/${project}/store/?sentry_key=${key}`;
      const response = await fetch(url, { method: 'POST', body: JSON.stringify(event()) });
      return [response.status, await response.text()];
    };
    const answers = [
      await at(world.projectId, `bpk_${'0'.repeat(32)}`),
      await at(world.projectId, other.publicKey),
      await at(off.id, off.publicKey),
      await at(999_999, world.publicKey),
    ];
    expect(new Set(answers.map(String)).size).toBe(1);
    expect(answers[0]?.[0]).toBe(404);
    world.database.prepare('UPDATE client_keys SET active = 0 WHERE public_key = ?').run(other.publicKey);
    expect((await at(other.id, other.publicKey))[0]).toBe(404);
    world.database.prepare('UPDATE client_keys SET active = 1 WHERE public_key = ?').run(other.publicKey);
    expect((await at(other.id, other.publicKey))[0]).toBe(200);
    world.database.prepare('UPDATE projects SET monitor = 0 WHERE id = ?').run(other.id);
    expect((await at(other.id, other.publicKey))[0]).toBe(404);
  });

  it('has to be readable, and the same in the envelope', async () => {
    expect((await send({})).status).toBe(400);
    expect((await send({ 'x-sentry-auth': 'Sentry nonsense' })).status).toBe(400);
    const dsn = `http://other@127.0.0.1/${world.projectId}`;
    const before = world.rows('SELECT 1 FROM error_events').length;
    expect((await world.send('envelope', envelope({ dsn }, [{ type: 'event' }, event()]))).status).toBe(400);
    expect((await world.send('envelope', envelope({ dsn: `http://${world.publicKey}@127.0.0.1/7777` }, [{ type: 'event' }, event()]))).status).toBe(400);
    expect(world.rows('SELECT 1 FROM error_events')).toHaveLength(before);
  });
});

describe('answers', () => {
  it('come with and without a slash, as JSON, with headers for pages of other origins, errors too', async () => {
    for (const slash of ['', '/']) {
      for (const [kind, body, status] of [
        ['store', JSON.stringify(event()), 200],
        ['envelope', '{}', 200],
        ['store', 'x', 400],
        ['envelope', 'x', 400],
      ] as const) {
        const url = `${world.service.url}/api/v4/error_tracking/collector/api/${world.projectId}/${kind}${slash}?sentry_key=${world.publicKey}`;
        const response = await fetch(url, { method: 'POST', body, headers: { origin: 'http://page.example' }, redirect: 'error' });
        expect(response.status).toBe(status);
        expect(response.headers.get('content-type')).toMatch(/^application\/json/);
        expect(response.headers.get('access-control-allow-origin')).toBe('*');
        expect(response.headers.get('access-control-expose-headers')).toContain('retry-after');
        const answer = (await response.json()) as Record<string, unknown>;
        if (status === 400) expect([answer['causes'], response.headers.get('x-sentry-error')]).toEqual([[], answer['detail']]);
      }
    }
  });

  it('to a preflight name what SDKs send', async () => {
    const url = `${world.service.url}/api/v4/error_tracking/collector/api/${world.projectId}/envelope/`;
    const response = await fetch(url, {
      method: 'OPTIONS',
      headers: { origin: 'http://page.example', 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-sentry-auth' },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-methods')).toContain('POST');
    expect(response.headers.get('access-control-allow-headers')).toContain('x-sentry-auth');
    expect(response.headers.get('access-control-max-age')).toBe('3600');
  });

  it.each([
    ['application/json'],
    ['text/plain;charset=UTF-8'],
    ['application/x-sentry-envelope'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['no type at all;;'],
    ['application/octet-stream'],
  ])('do not depend on the type %s', async (type) => {
    const one = event();
    expect((await world.send('envelope', envelope({}, [{ type: 'event' }, one]), { 'content-type': type })).status).toBe(200);
    expect(world.event(one.event_id)).not.toBeNull();
  });

  it('give the id of the envelope without dashes, which wins over that of the payload', async () => {
    const id = '0a0a0a0a-0a0a-4a0a-8a0a-0a0a0a0a0a0a';
    const answer = await world.send('envelope', envelope({ event_id: id }, [{ type: 'event' }, event()]));
    expect(answer.body).toEqual({ id: id.replaceAll('-', '') });
    expect(world.event(id.replaceAll('-', ''))).not.toBeNull();
  });
});

describe('what is stored', () => {
  it('an id once in a project, however often and at once it comes', async () => {
    const one = event();
    const before = counted('duplicate') ?? 0;
    const answers = await Promise.all(Array.from({ length: 20 }, async () => world.send('store', JSON.stringify(one))));
    expect(answers.map((answer) => [answer.status, answer.body])).toEqual(answers.map(() => [200, { id: one.event_id }]));
    expect(errorOf(one.event_id)?.events).toBe(1);
    expect(counted('duplicate')).toBe(before + 19);
  });

  it('a burst of one new error makes one error', async () => {
    const many = Array.from({ length: 30 }, () => event({ message: 'the same for all' }));
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
      const one = event({ message: 'whom it hit', user });
      ids.push(one.event_id);
      await world.send('store', JSON.stringify(one));
    }
    expect(errorOf(ids[0] ?? '')).toMatchObject({ events: users.length, users: 5 });
  });

  it('hours, tags, releases and the title of the newest', async () => {
    const exception = (value: string) => ({
      values: [{ type: 'LabError', value, stacktrace: { frames: [{ function: 'measure', module: 'bench', in_app: true }] } }],
    });
    const older = event({ message: undefined, exception: exception('first'), release: '1', environment: 'lab', tags: { bench: 'A' } });
    const newer = event({ message: undefined, exception: exception('second'), release: '2', environment: 'lab', tags: { bench: 'B' }, level: 'fatal' });
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
    expect(world.rows('SELECT sum(events) AS n FROM error_hours WHERE group_id = ?', error?.group_id)).toEqual([{ n: 2 }]);
    expect(
      world.rows("SELECT tag, value, events FROM error_tags WHERE group_id = ? AND tag IN ('bench', 'environment') ORDER BY tag, value", error?.group_id),
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
    const ids = Array.from({ length: 1010 }, () => event({ message: 'many values' }));
    for (let at = 0; at < ids.length; at += 101) {
      await Promise.all(
        ids.slice(at, at + 101).map(async (one, index) => world.send('store', JSON.stringify({ ...one, tags: { request: at + index, bench: 'A' } }))),
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
      const one = event({ message: 'it comes back', timestamp });
      await world.send('store', JSON.stringify(one));
      return errorOf(one.event_id);
    };
    const error = await again(Date.now() / 1000);
    const set = (status: string, at: number | null) =>
      world.database.prepare('UPDATE errors SET status = ?, resolved_at = ?, regressed_at = NULL WHERE id = ?').run(status, at, error?.id);
    const resolvedAt = Date.now() - 60_000;
    set('resolved', resolvedAt);
    expect(await again((resolvedAt - 5000) / 1000)).toMatchObject({ status: 'resolved', regressed_at: null, events: 2 });
    expect(await again((resolvedAt + 5000) / 1000)).toMatchObject({ status: 'unresolved', regressed_at: expect.any(Number), events: 3 });
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
    for (let count = 0; count < 40; count += 1) await world.send('store', JSON.stringify(event({ message: 'loop' })));
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
    const one = event();
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
    expect(await world.send('envelope', envelope({}, ...items, [{ type: 'event' }, one]))).toMatchObject({ status: 200, body: { id: one.event_id } });
    expect(await world.send('envelope', envelope({ event_id: 'c'.repeat(32) }, ...items))).toMatchObject({ status: 200, body: { id: 'c'.repeat(32) } });
    await flushed();
    expect(types.slice(0, -1).map((type) => counted(`item:${type}`))).toEqual(types.slice(0, -1).map(() => 2));
    expect(counted('item:other')).toBe(2);
  });

  it('what is malformed or too large, and nothing else of its request', async () => {
    const before = world.rows('SELECT 1 FROM error_events').length;
    const large = JSON.stringify(event({ extra: { a: 'x'.repeat(1024 * 1024) } }));
    expect((await world.send('store', large)).status).toBe(413);
    expect((await world.send('store', zlib.gzipSync(large), { 'content-encoding': 'gzip' })).status).toBe(413);
    expect((await world.send('envelope', envelope({}, [{ type: 'event' }, large]))).status).toBe(413);
    expect((await world.send('store', Buffer.alloc(21 * 1024 * 1024))).status).toBe(413);
    expect((await world.send('store', '{"a":')).status).toBe(400);
    expect((await world.send('envelope', envelope({}, [{ type: 'event' }, event()], [{ type: 'event', length: 99 }, '{}']))).status).toBe(400);
    expect(world.rows('SELECT 1 FROM error_events')).toHaveLength(before);
    await flushed();
    expect(counted('too-large')).toBe(4);
    expect(counted('malformed')).toBeGreaterThanOrEqual(2);
  });

  it('an attachment of many megabytes costs no memory, and what is with it is stored', async () => {
    const one = event();
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
    const one = event();
    const url = new URL(`${world.service.url}/api/v4/error_tracking/collector/api/${world.projectId}/store/?sentry_key=${world.publicKey}`);
    await new Promise<void>((resolve) => {
      const request = http.request(url, { method: 'POST', headers: { 'content-length': '10000' } });
      request.on('error', () => resolve());
      request.write(JSON.stringify(one), () => setTimeout(() => request.destroy(), 50));
    });
    expect((await world.send('store', JSON.stringify(event()))).status).toBe(200);
    expect(world.event(one.event_id)).toBeNull();
  });
});

it('a large event is stored like any other, from its own thread', async () => {
  const extra = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`k${index}`, { text: 'x'.repeat(900) }]));
  const one = event({ extra });
  expect((await world.send('store', JSON.stringify(one))).status).toBe(200);
  expect(world.event(one.event_id)?.extra).toEqual(extra);
  expect((await world.send('store', `${' '.repeat(200_000)}[]`)).status).toBe(400);
});
