import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { addMeasurement } from '../../fixture-measurement.ts';
import { RawClient } from '../../raw-client.ts';
import { until } from '../../until.ts';
import { long, useClients } from './clients-scene.ts';

const scene = useClients();
const { start, slow, ask, rows } = scene;

/**
 * A client with a tiny receive buffer that stops reading after the head; resolves once the head is
 * received.
 */
const byteBySecond = `
import socket, sys, time
client = socket.socket()
client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
client.connect(('127.0.0.1', int(sys.argv[1])))
client.sendall(f'GET /measurements/m/files/0 HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nAuthorization: Bearer {sys.argv[2]}\\r\\n\\r\\n'.encode())
assert client.recv(12) == b'HTTP/1.1 200'
print('begun', flush=True)
while client.recv(1): time.sleep(1)
`;

describe('limits', () => {
  test('H2: a user with too many downloads gets 429 with every token, too many in all get 503, and small responses continue', async () => {
    await start({ perUser: 3, total: 5 });
    const second = await scene.service.token(scene.alice);
    const bob = await scene.service.token(await scene.service.user('bob', true));
    const clients = [await slow(), await slow(second), await slow()];
    const refused = await ask('/measurements/m/files/0', { authorization: `Bearer ${second}` });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    clients.push(await slow(bob), await slow(bob));
    const carol = await scene.service.token(await scene.service.user('carol', true));
    const full = await ask('/measurements/m/files/0', { authorization: `Bearer ${carol}` });
    expect([full.status, full.headers.get('retry-after')]).toEqual([503, '10']);
    for (const path of ['/measurements/m/files', '/measurements/m/files/1']) expect((await ask(path)).status).toBe(200);
    expect((await ask('/measurements/m/files/0', { range: 'bytes=0-9' })).status).toBe(206);
    for (const client of clients) client.socket.destroy();
    await until(async () => {
      const client = await slow();
      client.socket.destroy();
      return client.status === 200;
    }, 'room again');
  });

  test('H2: eight tokens of one user with 126 slow downloads each leave room for an administrator and for another user', async () => {
    await start();
    const tokens = await Promise.all(Array.from({ length: 8 }, async () => scene.service.token(scene.alice)));
    const admin = await scene.service.token(await scene.service.user('root', true));
    const bob = await scene.service.user('bob');
    await scene.service.services.grants.grant('m', { userId: bob }, null, scene.alice);
    const clients: RawClient[] = [];
    const refused: number[] = [];
    for (const one of tokens) {
      for (const client of await Promise.all(Array.from({ length: 126 }, () => slow(one)))) {
        if (client.status === 200) clients.push(client);
        else {
          refused.push(client.status);
          client.socket.destroy();
        }
      }
    }
    expect(clients).toHaveLength(125);
    expect(new Set(refused)).toEqual(new Set([429]));
    for (const other of [admin, await scene.service.token(bob)]) {
      const client = await slow(other);
      expect(client.status).toBe(200);
      clients.push(client);
    }
    for (const client of clients) client.socket.destroy();
  });

  test('H2: several busy users together leave the last eighth of all slots to others, and the last sixteenth to administrators', async () => {
    await start({ perUser: 40, total: 64 });
    const [bob, carol] = [await scene.service.user('bob'), await scene.service.user('carol')];
    for (const userId of [bob, carol]) await scene.service.services.grants.grant('m', { userId }, null, scene.alice);
    const clients: RawClient[] = [];
    const begin = async (who: string): Promise<number> => {
      const client = await slow(who);
      clients.push(client);
      return client.status;
    };
    const statuses = async (who: string, count: number) =>
      Promise.all(Array.from({ length: count }, async () => begin(who)));
    expect(new Set(await statuses(scene.token, 30))).toEqual(new Set([200]));
    const bobs = await scene.service.token(bob);
    expect(new Set(await statuses(bobs, 26))).toEqual(new Set([200]));
    expect(await begin(bobs)).toBe(503);
    const carols = await scene.service.token(carol);
    expect(await statuses(carols, 4)).toEqual([200, 200, 200, 200]);
    expect(await begin(carols)).toBe(503);
    expect(await begin(await scene.service.token(await scene.service.user('root', true)))).toBe(200);
    for (const client of clients) client.socket.destroy();
  });

  test('H2: a small response that its client does not read counts after some seconds', async () => {
    await start({ perUser: 2 });
    // The manifest exceeds the network's buffers for a client.
    await addMeasurement(
      scene.service,
      scene.alice,
      'many',
      Array.from({ length: 20_000 }, (_, i) => ({ path: `${'long-name-'.repeat(80)}${i}.txt`, rowOnly: true })),
    );
    const waiting = [await slow(), await slow()];
    const client = await RawClient.open(scene.service.url);
    client.get('/measurements/many/files', `Authorization: Bearer ${scene.token}`, 'Accept-Encoding: identity');
    await client.until(1);
    client.pause();
    expect(client.status).toBe(200);
    await until(
      () => rows().some((row) => row.what === 'manifest' && row.outcome === 'stalled'),
      'the end of the one beyond the cap',
    );
    for (const one of [...waiting, client]) one.socket.destroy();
  });

  test('500 connections that read nothing leave the service to others', async () => {
    await start({ perUser: 1000 });
    const clients = await Promise.all(Array.from({ length: 500 }, () => slow()));
    expect(clients.every((client) => client.status === 200)).toBe(true);
    const response = await ask('/measurements/m/files/1');
    expect(await response.text()).toBe('small');
    for (const client of clients) client.socket.destroy();
  });
});

describe('clients', () => {
  test('that read nothing are disconnected, those that read something are not', async () => {
    await start({ stallMs: 1500 });
    const stuck = await slow();
    const steady = await slow();
    const trickle = setInterval(() => (steady.socket.isPaused() ? steady.resume() : steady.pause()), 10);
    await until(() => rows().some((row) => row.outcome === 'stalled'), 'the end of the one that stands still');
    clearInterval(trickle);
    expect(rows().filter((row) => row.outcome === 'stalled')).toHaveLength(1);
    steady.resume();
    await steady.until(long);
    expect(steady.bodyReceived).toBe(long);
    steady.socket.destroy();
    await stuck.drain();
    expect(stuck.bodyReceived).toBeLessThan(long);
  });

  test('that read a byte a second are disconnected as those that read nothing, and do not delay others meanwhile', async () => {
    await start({ stallMs: 2000 });
    const reader = spawn('python3', ['-c', byteBySecond, new URL(scene.service.url).port, scene.token], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(reader, 'exit');
    await once(reader.stdout, 'data');
    for (let i = 0; i < 20; i += 1) expect(await (await ask('/measurements/m/files/1')).text()).toBe('small');
    await until(() => rows().some((row) => row.outcome === 'stalled'), 'the end of the slow one');
    expect(rows().find((row) => row.outcome === 'stalled')?.bytes_sent).toBeLessThan(long);
    const complete = () => rows().filter((row) => row.outcome === 'complete');
    await until(() => complete().reduce((sum, row) => sum + row.requests, 0) === 20, 'twenty small ones');
    reader.kill('SIGKILL');
    await ended;
  });

  test('that disconnect leave no open file behind', async () => {
    await start();
    const open = async () => {
      const links = await readdir('/proc/self/fd');
      return links.length;
    };
    // The first client makes the service open what it keeps, such as threads and statements.
    (await slow()).socket.resetAndDestroy();
    await until(() => rows().some((row) => row.outcome === 'client-closed'), 'the end of the first');
    const before = await open();
    for (let round = 0; round < 3; round += 1) {
      const clients = await Promise.all(Array.from({ length: 20 }, () => slow()));
      for (const client of clients) client.socket.resetAndDestroy();
    }
    await until(async () => (await open()) <= before + 2, 'files closed again');
    // Those that ended after few bytes share a row.
    const closed = () => rows().filter((row) => row.outcome === 'client-closed');
    await until(() => closed().reduce((sum, row) => sum + row.requests, 0) === 61, 'all rows');
  });
});

test('that disconnect with pipelined requests leave no queued response behind', async () => {
  await start({ perUser: 4 });
  const credential = `Authorization: Bearer ${scene.token}`;
  const client = await slow();
  client.get('/measurements/m/files/1', credential).get('/measurements/m/files/0', credential, 'Range: bytes=0-999999');
  await until(() => rows().length === 3, 'three transfers');
  client.socket.resetAndDestroy();
  await until(() => rows().every((row) => row.outcome === 'client-closed'), 'their ends');
  for (let i = 0; i < 6; i += 1) expect((await ask('/measurements/m/files/1')).status).toBe(200);
});
