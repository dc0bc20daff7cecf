import { expect, test } from 'vitest';
import {
  begun,
  expectAvailable,
  filesBelow,
  mebibyte,
  partBytes,
  parts,
} from '../measurements/uploads/direct-world.ts';
import { manifestOf } from '../measurements/uploads/manifest-support.ts';
import { uploadsBy } from '../measurements/uploads/manifest-support.ts';
import { startStandIn, type StandIn } from '../object-storage/stand-in.ts';
import { useWorld } from '../use-service.ts';
import { startPair } from './direct-pair.ts';

const world = useWorld(async () => {
  const standIn = await startStandIn();
  const pair = await startPair(standIn.settings);
  return {
    ...pair,
    standIn,
    end: async () => {
      await pair.end();
      await standIn.close();
    },
  };
});

const leftIn = (standIn: StandIn): readonly string[] => [
  ...[...standIn.objects.keys()].filter((key) => key.startsWith('/bench/uploads/')),
  ...standIn.uploads.keys(),
];

type Step = (method: string, path: string, query: URLSearchParams) => boolean;
/** When a replica is killed, and whether the storage has done then what it was asked for. */
const steps: readonly (readonly [string, boolean, Step])[] = [
  ['the upload in parts begins', true, (method, _path, query) => method === 'POST' && query.has('uploads')],
  ['the second part comes', true, (method, _path, query) => method === 'PUT' && query.get('partNumber') === '2'],
  ['the last part comes', false, (method, _path, query) => method === 'PUT' && query.get('partNumber') === '3'],
  ['the parts become one object', true, (method, _path, query) => method === 'POST' && query.has('uploadId')],
  ['the object is read back', false, (method, name) => method === 'GET' && name.endsWith('.zip')],
  ['its description comes', true, (method, name) => method === 'PUT' && name.endsWith('.json')],
  ['the manifest is removed', false, (method, name) => method === 'DELETE' && name.endsWith('manifest.ndjson')],
];

test.each(steps)(
  'a replica is killed when %s (done by the storage: %s), and another one without its folders goes on',
  async (what, done, step) => {
    const { standIn, lasting, token } = world;
    const id = what.replaceAll(' ', '-');
    const { body, archive } = manifestOf(id, parts);
    const mortal = await world.mortal();
    const [first, second] = [uploadsBy(mortal.url, token), uploadsBy(lasting.url, token)];
    const address = await begun(first, body);
    const there = new URL(new URL(address).pathname, lasting.url).href;
    const killed = Promise.withResolvers<void>();
    let met = false;
    standIn.fault = (method, name, query) => {
      if (met || !step(method, name, query)) return null;
      met = true;
      void mortal.signal('SIGKILL').then(killed.resolve);
      return done ? 'lost-answer' : 'reset';
    };
    // Bytes that an answer has confirmed are never lost.
    const confirmed = 3 * mebibyte;
    expect((await first.patch(address, 0, archive.subarray(0, confirmed))).status).toBe(204);
    await first.patch(address, confirmed, archive.subarray(confirmed)).catch(() => null);
    await killed.promise;
    await expect
      .poll(
        async () => {
          const offset = await second.offset(there);
          if (offset < 0) return archive.length;
          expect(offset).toBeGreaterThanOrEqual(confirmed);
          if (offset < archive.length) await second.patch(there, offset, archive.subarray(offset));
          return second.offset(there);
        },
        { timeout: 60_000, interval: 500 },
      )
      .toBe(archive.length);
    await expectAvailable(second, id, archive, parts);
    await expect.poll(() => leftIn(standIn), { timeout: 60_000 }).toEqual([]);
    const zips = [...standIn.objects.keys()].filter((key) => key.endsWith('.zip'));
    const { rows } = await world.replicas.client.query('SELECT object_key FROM measurements');
    expect(zips).toHaveLength(rows.length);
    for (const folder of world.folders) expect(await filesBelow(folder)).toEqual([]);
  },
);

test('each part goes to another replica, none of which sees the folders of the others', async () => {
  const { lasting, token } = world;
  const replicas = [await world.mortal(), await world.mortal()];
  const { body, archive } = manifestOf('round', parts);
  const urls = [...replicas.map(({ url }) => url), lasting.url];
  const { pathname } = new URL(await begun(uploadsBy(urls[0] ?? '', token), body));
  const step = Math.floor(partBytes / 3) + 5;
  for (let at = 0, turn = 0; at < archive.length; at += step, turn += 1) {
    const url = urls[turn % urls.length] ?? '';
    const sent = await uploadsBy(url, token).patch(url + pathname, at, archive.subarray(at, at + step));
    expect([sent.status, sent.headers.get('upload-offset')]).toEqual([
      204,
      String(Math.min(archive.length, at + step)),
    ]);
  }
  await expectAvailable(uploadsBy(lasting.url, token), 'round', archive, parts);
  for (const replica of replicas) await replica.signal('SIGKILL');
  for (const folder of world.folders) expect(await filesBelow(folder)).toEqual([]);
});
