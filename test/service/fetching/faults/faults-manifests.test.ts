import { existsSync } from 'node:fs';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { endless } from '../../../faults/body-faults.ts';
import { hostilePaths, manifestText, manifestWith } from '../../../faults/manifest-faults.ts';
import { generateMeasurement, smallFiles, type ManifestEntry } from '../../../faults/measurement.ts';
import { forThose, manifests } from '../../../faults/when.ts';
import { useFaults } from './faults-world.ts';

const measurement = generateMeasurement('run-7', 18, [...smallFiles(hostilePaths.length, 50), ['sub/last.txt', 9_000]]);
const world = useFaults(measurement);

const finished = () => [...world.scene.files().keys()].filter((file) => !file.endsWith('.benchport-part'));

async function fetchWith(change: (files: ManifestEntry[]) => void) {
  world.server.faults = [manifestWith(measurement, change)];
  return world.scene.untilEnd(await world.scene.plan(world.server.url), 3);
}

describe('paths', () => {
  test('that lead out of the target, or are used otherwise, are refused, and the rest comes', async () => {
    const outcome = await fetchWith((files) =>
      hostilePaths.forEach((hostile, index) => Object.assign(files[index] ?? {}, { path: hostile })),
    );
    expect(outcome).toMatchObject({ kind: 'failed', reason: expect.stringMatching(/files-failed|bad-path/) as string });
    expect(finished()).toEqual(['sub/last.txt']);
    expect(existsSync('/etc/outside.txt')).toBe(false);
  });

  test('that are there twice, or differ by case or Unicode form only, do not overwrite each other', async () => {
    const names = ['A.txt', 'a.txt', 'A.txt', 'caf\u00e9.txt', 'cafe\u0301.txt', 'd', 'd/e.txt'];
    const outcome = await fetchWith((files) => {
      names.forEach((name, index) => Object.assign(files[index] ?? {}, { path: name }));
      files.splice(names.length);
    });
    expect(outcome).toMatchObject({ kind: 'failed' });
    // The lab knows the generated names only, so what is there under these was never right for it: compared here instead.
    const there = await readdir(world.scene.target, { recursive: true });
    expect(there.toSorted()).toEqual(['A.txt', 'café.txt', 'd', 'd/e.txt']);
    world.scene = world.lab.scene(measurement);
  });

  test('whose folder is a link that somebody put there do not go through it', async () => {
    const outside = path.join(world.scene.root, 'elsewhere');
    await mkdir(outside);
    await mkdir(world.scene.target);
    await symlink(outside, path.join(world.scene.target, 'sub'));
    const outcome = await world.scene.untilEnd(await world.scene.plan(world.server.url), 3);
    expect(outcome.kind).not.toBe('done');
    expect(await readdir(outside)).toEqual([]);
    world.scene = world.lab.scene(measurement);
  });
});

describe('lengths that lie', () => {
  test.each([
    ['too short', 8_999],
    ['too long', 9_001],
    ['enormous', 2 ** 53 - 1],
    ['zero', 0],
  ])('%s: the file is not there, and the reason is clear', async (_name, length) => {
    const outcome = await fetchWith((files) => {
      files.splice(0, files.length - 1);
      Object.assign(files[0] ?? {}, { index: hostilePaths.length, length });
    });
    expect(outcome.kind).not.toBe('done');
    expect(finished()).toEqual([]);
    expect(world.server.bytesSent()).toBeLessThan(200_000);
  });
});

describe('what is no manifest', () => {
  const entry =
    '{"index":0,"path":"a","fileName":"a","length":1,"crc32":1,"registrationTime":"x","_links":{"download":{"href":"/measurements/run-7/files/0"}}}';
  test.each([
    ['nothing', ''],
    ['no JSON', '<html>'],
    ['a list', '[]'],
    ['files that are no list', '{"measurementId":"run-7","files":{"length":3}}'],
    ['of another measurement', '{"measurementId":"other","files":[]}'],
    ['a negative length', `{"measurementId":"run-7","files":[${entry.replace('"length":1', '"length":-1')}]}`],
    [
      'a length that no number counts',
      `{"measurementId":"run-7","files":[${entry.replace('"length":1', '"length":9007199254740993')}]}`,
    ],
    [
      'a checksum that is none',
      `{"measurementId":"run-7","files":[${entry.replace('"crc32":1', '"crc32":4294967296')}]}`,
    ],
    ['a path that is no text', `{"measurementId":"run-7","files":[${entry.replace('"path":"a"', '"path":["a"]')}]}`],
    ['nesting without end', `{"measurementId":"run-7","files":${'['.repeat(200_000)}`],
    ['cut off', `{"measurementId":"run-7","files":[${entry}`],
  ])('%s: refused as a whole', async (_name, text) => {
    world.server.faults = [manifestText(() => text)];
    const outcome = await world.scene.untilEnd(await world.scene.plan(world.server.url), 1);
    expect(outcome).toMatchObject({ reason: expect.stringMatching(/bad-manifest|bad-answer/) as string });
    expect(finished()).toEqual([]);
  });

  test('one without an end', async () => {
    world.server.faults = [forThose(manifests, endless)];
    expect(await world.scene.untilEnd(await world.scene.plan(world.server.url), 1)).toMatchObject({
      reason: expect.stringMatching(/bad-manifest|bad-answer/) as string,
    });
  });
});
