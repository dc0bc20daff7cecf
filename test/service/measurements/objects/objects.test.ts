import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { secretDigest } from '../../../../src-main/service/secrets/secret-digest.ts';
import { RawClient } from '../../raw-client.ts';
import { describe, expect, test } from 'vitest';
import { useWorld } from '../../use-service.ts';
import { startStandIn, type StandIn } from '../../object-storage/stand-in.ts';
import { manifestOf, uploadsBy } from '../uploads/manifest-support.ts';
import { describeObjects } from './objects-suite.ts';
import { bytesOf, joined, startObjectsWorld, type ObjectsWorld } from './objects-world.ts';

const hourMs = 3600_000;
const mebibyte = 1024 * 1024;

interface World extends ObjectsWorld {
  readonly standIn: StandIn;
}

async function start(): Promise<World> {
  const standIn = await startStandIn();
  const world = await startObjectsWorld({ ...standIn.settings, prefix: 'lab/', graceMs: hourMs });
  return joined(world, { standIn }, () => standIn.close());
}

describe('measurements in an object storage', () => {
  const world = useWorld(start);
  describeObjects(world, async () => [...world.standIn.objects.keys()].map((key) => key.replace('/bench/lab/', '')));

  /** Reads in small pieces, with pauses in which the socket is full. */
  async function readSlowly(url: string, token: string): Promise<Buffer | null> {
    const outgoing = request(world.service.url + url, { headers: { authorization: `Bearer ${token}` } }).end();
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    const parts: Buffer[] = [];
    try {
      for await (const part of incoming) {
        parts.push(part as Buffer);
        if (parts.length % 16 === 0) await setTimeout(5);
      }
    } catch {
      return null;
    }
    return Buffer.concat(parts);
  }

  test('a slow client gets the same bytes, from memory and from the cache', async () => {
    const whole = await bytesOf(await world.get('/measurements/run-1'));
    await world.upload('slow', { 'large.bin': randomBytes(30 * mebibyte) });
    for (const id of ['run-1', 'slow', 'slow', 'slow']) {
      const [slow, quick] = await Promise.all([
        readSlowly(`/measurements/${id}`, world.token),
        world.get(`/measurements/${id}`).then(bytesOf),
      ]);
      expect(slow?.equals(quick)).toBe(true);
      if (id === 'run-1') expect(quick.equals(whole)).toBe(true);
    }
  });

  test('an upload with a manifest is the object, byte for byte', async () => {
    const { body, archive } = manifestOf('announced', [
      { path: 'a.bin', bytes: randomBytes(9 * mebibyte) },
      { path: 'b.txt', bytes: Buffer.from('last') },
    ]);
    const client = uploadsBy(world.service.url, world.token);
    const created = await client.create(body);
    expect(created.status).toBe(201);
    expect((await client.patch(client.addressIn(created), 0, archive)).status).toBe(204);
    await expect.poll(async () => (await world.get('/measurements/announced')).status, { timeout: 20_000 }).toBe(200);
    expect((await bytesOf(await world.get('/measurements/announced'))).equals(archive)).toBe(true);
    expect([...world.standIn.objects.values()].some((object) => Buffer.from(object).equals(archive))).toBe(true);
  });

  test('a download whose token is revoked ends', async () => {
    const { tokens } = world.service.services;
    const token = await world.service.token(world.alice, ['read_measurement']);
    const client = (await RawClient.open(world.service.url)).get(
      '/measurements/slow',
      `Authorization: Bearer ${token}`,
    );
    await client.until(1000);
    client.socket.pause();
    const row = await tokens.usable(secretDigest(token), Date.now());
    await tokens.revoke(row?.id ?? 0);
    world.service.services.changes.bump();
    await setTimeout(2500);
    client.socket.resume();
    await client.closed;
    expect(client.received).toBeLessThan(30 * mebibyte);
  });
});
