import http from 'node:http';
import zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { envelopeOf, sentEvent } from '../sent-event.ts';
import { useIngest } from './stored-scene.ts';

const scene = useIngest();
const { counted } = scene;

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
    expect(await scene.world.send('envelope', envelopeOf({}, ...items, [{ type: 'event' }, one]))).toMatchObject({
      status: 200,
      body: { id: one.event_id },
    });
    expect(await scene.world.send('envelope', envelopeOf({ event_id: 'c'.repeat(32) }, ...items))).toMatchObject({
      status: 200,
      body: { id: 'c'.repeat(32) },
    });
    await flushed();
    expect(types.slice(0, -1).map((type) => counted(`item:${type}`))).toEqual(types.slice(0, -1).map(() => 2));
    expect(counted('item:other')).toBe(2);
  });

  it('what is malformed or too large, and nothing else of its request', async () => {
    const before = scene.world.rows('SELECT 1 FROM error_events').length;
    const large = JSON.stringify(sentEvent({ extra: { a: 'x'.repeat(1024 * 1024) } }));
    expect((await scene.world.send('store', large)).status).toBe(413);
    expect((await scene.world.send('store', zlib.gzipSync(large), { 'content-encoding': 'gzip' })).status).toBe(413);
    expect((await scene.world.send('envelope', envelopeOf({}, [{ type: 'event' }, large]))).status).toBe(413);
    expect((await scene.world.send('store', Buffer.alloc(21 * 1024 * 1024))).status).toBe(413);
    expect((await scene.world.send('store', '{"a":')).status).toBe(400);
    expect(
      (
        await scene.world.send(
          'envelope',
          envelopeOf({}, [{ type: 'event' }, sentEvent()], [{ type: 'event', length: 99 }, '{}']),
        )
      ).status,
    ).toBe(400);
    expect(scene.world.rows('SELECT 1 FROM error_events')).toHaveLength(before);
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
    expect((await scene.world.send('envelope', body, { 'content-encoding': 'gzip' })).status).toBe(200);
    expect(scene.world.event(one.event_id)).not.toBeNull();
  });

  it('a connection that breaks off leaves nothing', async () => {
    const one = sentEvent();
    const url = new URL(
      `${scene.world.service.url}/api/v4/error_tracking/collector/api/${scene.world.projectId}/store/?sentry_key=${scene.world.publicKey}`,
    );
    await new Promise<void>((resolve) => {
      const request = http.request(url, { method: 'POST', headers: { 'content-length': '10000' } });
      request.on('error', () => resolve());
      request.write(JSON.stringify(one), () => setTimeout(() => request.destroy(), 50));
    });
    expect((await scene.world.send('store', JSON.stringify(sentEvent()))).status).toBe(200);
    expect(scene.world.event(one.event_id)).toBeNull();
  });
});
