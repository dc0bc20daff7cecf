import { describe, expect, test } from 'vitest';
import type { Fault } from '../../object-storage/stand-in.ts';
import { contents } from './objects-world.ts';
import { large, mebibyte, setUpColdWorld } from './cold-world.ts';

const cold = setUpColdWorld();
const { world, received } = cold;

/** How often each part of an archive is sent from now on. */
function watchParts(fault: (method: string, path: string, query: URLSearchParams) => Fault | null): number[] {
  const sent: number[] = [];
  world.standIn.fault = (method, asked, query) => {
    const part = Number(query.get('partNumber') ?? 0);
    if (method === 'PUT' && part > 0) sent[part - 1] = (sent[part - 1] ?? 0) + 1;
    return fault(method, asked, query);
  };
  return sent;
}

describe('a storage that fails', () => {
  test('while an upload is stored, holds it back and loses nothing', async () => {
    let failures = 12;
    world.standIn.fault = (method) => (method === 'PUT' && failures-- > 0 ? 503 : null);
    expect((await world.upload('later', { 'x.txt': Buffer.from('x') })).status).toBe(201);
    expect(failures).toBeLessThanOrEqual(0);
    expect((await received('/measurements/later/files/0'))?.toString()).toBe('x');
  }, 60_000);

  test('in the midst of an archive goes on with the parts that it has', async () => {
    let failures = 7;
    const sent = watchParts((_method, _path, query) =>
      query.get('partNumber') === '2' && failures-- > 0 ? 503 : null,
    );
    expect((await world.upload('parts')).status).toBe(201);
    expect(sent).toEqual([1, 8]);
    expect(world.standIn.uploads.size).toBe(0);
    expect(
      (await received(`/measurements/parts/files/${large}`))?.equals(contents['b/large.bin'] ?? cold.archive),
    ).toBe(true);
  }, 60_000);

  test.each([false, true])(
    'after an archive was complete does not get it again (damaged meanwhile: %s)',
    async (damaged) => {
      const known = new Set(world.standIn.objects.keys());
      let failures = 5;
      const sent = watchParts((method, asked) => {
        const object = world.standIn.objects.get(asked);
        if (method !== 'HEAD' || known.has(asked) || !object?.length || failures <= 0) return null;
        failures -= 1;
        if (damaged && failures === 0) object[9 * mebibyte] = (object[9 * mebibyte] ?? 0) ^ 1;
        return 503;
      });
      const id = damaged ? 'complete-damaged' : 'complete';
      expect((await world.upload(id)).status).toBe(201);
      expect(sent).toEqual(damaged ? [2, 2] : [1, 1]);
      expect(
        (await received(`/measurements/${id}/files/${large}`))?.equals(contents['b/large.bin'] ?? cold.archive),
      ).toBe(true);
    },
    60_000,
  );

  test('for good has no parts left of a registration that is given up', async () => {
    watchParts((_method, _path, query) => (query.get('partNumber') === '2' ? 403 : null));
    expect((await world.upload('given-up')).status).toBe(422);
    expect(world.standIn.uploads.size).toBe(0);
  });

  test('by returning other bytes than it was sent has them put again', async () => {
    let flips = 1;
    world.standIn.fault = (method) => (method === 'GET' && flips-- > 0 ? 'flip' : null);
    expect((await world.upload('flipped', { 'x.txt': Buffer.from('x') })).status).toBe(201);
    expect((await received('/measurements/flipped/files/0'))?.toString()).toBe('x');
    world.standIn.fault = (method) => (method === 'GET' ? 'flip' : null);
    expect((await world.upload('never', { 'x.txt': Buffer.from('x') })).status).toBe(422);
    expect((await world.get('/measurements/never/files')).status).toBe(404);
  }, 60_000);

  test('and refuses the access key has a registration refused', async () => {
    world.standIn.fault = (method) => (method === 'PUT' ? 403 : null);
    const answer = await world.upload('refused', { 'x.txt': Buffer.from('x') });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(await answer.json())).not.toContain(world.standIn.settings.secretAccessKey);
    expect((await world.get('/measurements/refused/files')).status).toBe(404);
  });
});
