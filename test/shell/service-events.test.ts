import fc from 'fast-check';
import fs from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EventStreamReader } from '../../src-main/shell/service/event-stream.ts';
import { followService, type ServiceFollower } from '../../src-main/shell/service/follow-service.ts';
import { listenToService } from '../../src-main/shell/service/service-events.ts';
import { sendThrough } from '../../src-main/shell/service/service-socket.ts';
import { aFetch, aPage } from './a-fetch.ts';

describe('a stream of events', () => {
  const text =
    'retry: 2000\n: listening\n\nid: 1\nevent: fetch\ndata: {"a":1}\n\ndata:one\r\ndata: two\r\n\r\nevent: empty\n\nevent: ü\rdata: {"b":"ü\\n"}\r\rdata: unfinished';

  it('is parsed equally in any chunks', () => {
    const whole = [
      { name: 'fetch', data: '{"a":1}' },
      { name: 'message', data: 'one\ntwo' },
      { name: 'ü', data: '{"b":"ü\\n"}' },
    ];
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: text.length })), (cuts) => {
        const edges = [0, ...cuts.toSorted((one, other) => one - other), text.length];
        const reader = new EventStreamReader();
        expect(edges.slice(1).flatMap((end, index) => reader.read(text.slice(edges[index], end)))).toEqual(whole);
      }),
    );
  });

  it('an endless line is refused', () => {
    const reader = new EventStreamReader();
    expect(() => {
      for (let piece = 0; piece < 20; piece += 1) reader.read('x'.repeat(100_000));
    }).toThrow('does not end');
  });
});

describe("following the service's events", () => {
  let folder: string;
  let server: http.Server;
  let streams: http.ServerResponse[];
  let asked: string[];
  let answers: Record<string, unknown>;
  const door = () => ({ socketPath: path.join(folder, 'door'), secret: 's'.repeat(64) });
  const limits = { silenceMs: 200, firstPauseMs: 5, maxPauseMs: 20 };
  const stops: (() => void)[] = [];

  beforeEach(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'bp-events-'));
    streams = [];
    asked = [];
    answers = {};
    server = http.createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      if (request.headers['x-benchport-launch-secret'] !== 's'.repeat(64)) return void response.writeHead(401).end();
      if (request.url === '/api/v4/events') {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(': listening\n\n');
        streams.push(response);
        return undefined;
      }
      const answer = answers[request.url ?? ''];
      return void response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer ?? {}));
    });
  });

  afterEach(async () => {
    for (const stop of stops.splice(0)) stop();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await fs.rm(folder, { recursive: true, force: true });
  });

  const open = () => new Promise<void>((resolve) => server.listen(door().socketPath, resolve));
  const emit = (name: string, data: unknown): void =>
    void streams.at(-1)?.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);

  it('connects when there is a listener, reconnects after an end or silence, and stops on request', async () => {
    const told: string[] = [];
    stops.push(
      listenToService(
        door(),
        { opened: () => told.push('opened'), lost: () => told.push('lost'), changed: ({ topic }) => told.push(topic) },
        limits,
      ),
    );
    await open();
    await vi.waitFor(() => expect(told).toEqual(['opened']));
    emit('changed', { topic: 'fetches' });
    emit('unheard', { topic: 'tokens' });
    emit('opened', {});
    await vi.waitFor(() => expect(told).toContain('fetches'));
    streams.at(-1)?.end();
    await vi.waitFor(() => expect(told).toEqual(['opened', 'fetches', 'opened', 'lost', 'opened']));
    // Nothing is received any more, not even the keep-alive.
    await vi.waitFor(() => expect(streams).toHaveLength(3), { timeout: 3000 });
    stops.splice(0).forEach((stop) => stop());
    await vi.waitFor(() => expect(streams.every(({ closed }) => closed)).toBe(true));
  });

  it('follows fetches: from the list, by events, and by requesting those that are gone', async () => {
    answers['/api/v4/local/fetches?limit=500'] = aPage([
      aFetch(1, { bytes_done: 250 }),
      aFetch(2, { state: 'paused' }),
    ]);
    answers['/api/v4/local/sharing'] = { wanted: true };
    const news: string[] = [];
    const errors: string[] = [];
    const degraded: string[] = [];
    await open();
    const follower: ServiceFollower = followService(door(), sendThrough(door()), {
      changed: () => {},
      fetchNews: (fetch) => news.push(`${fetch.id} ${fetch.state}`),
      newError: (event) => errors.push(event.title),
      degraded: (event) => degraded.push(event.measurement_id),
    });
    stops.push(() => follower.stop());
    await vi.waitFor(() =>
      expect(follower.state()).toMatchObject({ sharing: true, fetches: { running: 1, paused: 1, fraction: 0.25 } }),
    );
    emit('incoming', { down_bytes_per_second: 2048, running: 1, seconds_left: 30, unknown_sizes: 1 });
    emit('rates', { up_bytes_per_second: 100, up_clients: 2 });
    emit('new-error', { title: 'TypeError' });
    emit('degraded', { measurement_id: 'run-7', title: 'Run 7' });
    emit('fetch', aFetch(3, { state: 'queued' }));
    await vi.waitFor(() =>
      expect(follower.state()).toMatchObject({
        downBytesPerSecond: 2048,
        secondsLeft: 30,
        upClients: 2,
        fetches: { running: 1, underWay: 2 },
      }),
    );
    expect(errors).toEqual(['TypeError']);
    expect(degraded).toEqual(['run-7']);

    answers['/api/v4/local/fetches?limit=500'] = aPage([aFetch(2, { state: 'paused' })]);
    answers['/api/v4/local/fetches/1'] = aFetch(1, { state: 'failed', ended_at: '2026-11-21T11:00:00.000Z' });
    emit('changed', { topic: 'fetches' });
    await vi.waitFor(
      () => expect(follower.state().fetches).toMatchObject({ running: 0, underWay: 0, paused: 1, failed: 1 }),
      { timeout: 5000 },
    );
    expect(news).toEqual(['1 failed']);
    expect(asked).toContain('GET /api/v4/local/fetches/3');

    streams.at(-1)?.destroy();
    await vi.waitFor(() => expect(follower.state()).toMatchObject({ downBytesPerSecond: 0, upClients: 0 }));
    follower.serviceEnded();
    expect(follower.state()).toMatchObject({ sharing: null, fetches: { paused: 0 } });
  });
});
