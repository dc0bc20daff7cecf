import { changeSeen } from '../../fixture-measurement.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startIngestWorld, type IngestWorld } from '../ingest-world.ts';
import { envelopeOf, sentEvent } from '../sent-event.ts';

let world: IngestWorld;
beforeAll(async () => {
  world = await startIngestWorld();
});
afterAll(async () => world.end());

describe('the client key', () => {
  const send = async (headers: Record<string, string>, query = '') => {
    const one = sentEvent();
    const answer = await world.send('store', JSON.stringify(one), headers, query);
    return { status: answer.status, stored: world.event(one.event_id) !== null };
  };
  const taken = { status: 200, stored: true };
  it.each([
    ['in the query', (key: string) => send({}, `?sentry_version=7&sentry_key=${key}`)],
    [
      'in X-Sentry-Auth',
      (key: string) => send({ 'x-sentry-auth': `Sentry sentry_version=7, sentry_key=${key}, sentry_client=a/1` }),
    ],
    [
      'without spaces',
      (key: string) => send({ 'x-sentry-auth': `Sentry sentry_version=7,sentry_client=a/1,sentry_key=${key}` }),
    ],
    [
      'in the order of the legacy client',
      (key: string) => send({ 'x-sentry-auth': `Sentry sentry_version=4, sentry_key=${key}, sentry_secret=s` }),
    ],
    ['in Authorization', (key: string) => send({ authorization: `Sentry sentry_key=${key}` })],
    ['as Basic', (key: string) => send({ authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` })],
    [
      'first in the query, whatever the headers say',
      (key: string) => send({ 'x-sentry-auth': 'Sentry sentry_key=wrong' }, `?sentry_key=${key}`),
    ],
  ] as const)('%s is found', async (_what, sending) => {
    expect(await sending(world.publicKey)).toEqual(taken);
  });

  it('in the header of an envelope is enough, with a secret or without', async () => {
    for (const secret of ['', ':0123']) {
      const one = sentEvent();
      const dsn = `http://${world.publicKey}${secret}@127.0.0.1/api/v4/error_tracking/collector/${world.projectId}`;
      expect((await world.send('envelope', envelopeOf({ dsn }, [{ type: 'event' }, one]), {}, '')).status).toBe(200);
      expect(world.event(one.event_id)).not.toBeNull();
    }
  });

  it('is refused with the same 404 when it is unknown, of another project, or the feature is off', async () => {
    const other = await world.project('other');
    const off = await world.project('off', false);
    const at = async (project: number, key: string) => {
      const url = `${world.service.url}/api/v4/error_tracking/collector/api/${project}/store/?sentry_key=${key}`;
      const response = await fetch(url, { method: 'POST', body: JSON.stringify(sentEvent()) });
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
    await changeSeen(world.service);
    expect((await at(other.id, other.publicKey))[0]).toBe(404);
    world.database.prepare('UPDATE client_keys SET active = 1 WHERE public_key = ?').run(other.publicKey);
    await changeSeen(world.service);
    expect((await at(other.id, other.publicKey))[0]).toBe(200);
    world.database.prepare('UPDATE projects SET monitor = 0 WHERE id = ?').run(other.id);
    await changeSeen(world.service);
    expect((await at(other.id, other.publicKey))[0]).toBe(404);
  });

  it('has to be readable, and the same in the envelope', async () => {
    expect((await send({})).status).toBe(400);
    expect((await send({ 'x-sentry-auth': 'Sentry nonsense' })).status).toBe(400);
    const dsn = `http://other@127.0.0.1/${world.projectId}`;
    const before = world.rows('SELECT 1 FROM error_events').length;
    expect((await world.send('envelope', envelopeOf({ dsn }, [{ type: 'event' }, sentEvent()]))).status).toBe(400);
    expect(
      (
        await world.send(
          'envelope',
          envelopeOf({ dsn: `http://${world.publicKey}@127.0.0.1/7777` }, [{ type: 'event' }, sentEvent()]),
        )
      ).status,
    ).toBe(400);
    expect(world.rows('SELECT 1 FROM error_events')).toHaveLength(before);
  });
});

describe('answers', () => {
  it('come with and without a slash, as JSON, with headers for pages of other origins, errors too', async () => {
    for (const slash of ['', '/']) {
      for (const [kind, body, status] of [
        ['store', JSON.stringify(sentEvent()), 200],
        ['envelope', '{}', 200],
        ['store', 'x', 400],
        ['envelope', 'x', 400],
      ] as const) {
        const url = `${world.service.url}/api/v4/error_tracking/collector/api/${world.projectId}/${kind}${slash}?sentry_key=${world.publicKey}`;
        const response = await fetch(url, {
          method: 'POST',
          body,
          headers: { origin: 'http://page.example' },
          redirect: 'error',
        });
        expect(response.status).toBe(status);
        expect(response.headers.get('content-type')).toMatch(/^application\/json/);
        expect(response.headers.get('access-control-allow-origin')).toBe('*');
        expect(response.headers.get('access-control-expose-headers')).toContain('retry-after');
        const answer = (await response.json()) as Record<string, unknown>;
        if (status === 400)
          expect([answer['causes'], response.headers.get('x-sentry-error')]).toEqual([[], answer['detail']]);
      }
    }
  });

  it('to a preflight name what SDKs send', async () => {
    const url = `${world.service.url}/api/v4/error_tracking/collector/api/${world.projectId}/envelope/`;
    const response = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin: 'http://page.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-sentry-auth',
      },
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
    const one = sentEvent();
    expect(
      (await world.send('envelope', envelopeOf({}, [{ type: 'event' }, one]), { 'content-type': type })).status,
    ).toBe(200);
    expect(world.event(one.event_id)).not.toBeNull();
  });

  it('give the id of the envelope without dashes, which wins over that of the payload', async () => {
    const id = '0a0a0a0a-0a0a-4a0a-8a0a-0a0a0a0a0a0a';
    const answer = await world.send('envelope', envelopeOf({ event_id: id }, [{ type: 'event' }, sentEvent()]));
    expect(answer.body).toEqual({ id: id.replaceAll('-', '') });
    expect(world.event(id.replaceAll('-', ''))).not.toBeNull();
  });
});
