import { describe, expect, it } from 'vitest';
import { openSample } from './open-sample.ts';
import { sampleTiff } from './sample-pictures.ts';
import { TiffWriter } from './sample-tiff.ts';

const open = async (bytes: Uint8Array, length?: number) => openSample(bytes, 'a.tif', length);

const coarse = { kind: 'coarse', at: [], sample: null } as const;
const tile = { kind: 'tile', at: [], sample: null, level: 0, column: 0, row: 0 } as const;

describe('a TIFF that does harm', () => {
  const harm: readonly (readonly [name: string, damage: (bytes: Uint8Array) => Uint8Array, words: RegExp])[] = [
    ['ends after its beginning', (bytes) => bytes.slice(0, 60), /beyond its end/],
    ['states a huge size', (bytes) => patched(bytes, 256, 0x7fff_ffff), /larger than a preview unpacks/],
    ['states a size of nothing', (bytes) => patched(bytes, 256, 0), /no size/],
    ['has a billion strips of one row', (bytes) => patched(patched(bytes, 278, 1), 257, 0x4000_0000), /ends too early/],
    ['claims a list of a billion strips', (bytes) => patched(bytes, 273, 0x4000_0000, 4), /beyond its end/],
    [
      'has a strip of any height',
      (bytes) => patched(patched(bytes, 278, 0x7fff_ffff), 257, 0x7fff_ffff),
      /larger than/,
    ],
    ['has a strip beyond its end', (bytes) => patched(bytes, 273, 0x7fff_0000), /beyond its end/],
    ['lies about the bytes of a strip', (bytes) => patched(bytes, 279, 12), /damaged/],
    [
      'claims far too many bytes of a strip',
      (bytes) => Uint8Array.from([...patched(bytes, 279, 90_000), ...new Uint8Array(99_000)]),
      /claims more bytes/,
    ],
    ['leads in a circle', (bytes) => linked(bytes, 8), /in a circle/],
    ['is packed with something else', (bytes) => patched(bytes, 259, 50_000), /Zstandard/],
    ['has values of 24 bits', (bytes) => patched(bytes, 258, 24), /24 bits/],
  ];
  it.each(harm)('because it %s is refused in words', async (_, damage, words) => {
    const bytes = damage(sampleTiff());
    const attempt = async () => (await open(bytes)).ask('raster', coarse);
    const before = process.memoryUsage().arrayBuffers;
    await expect(attempt()).rejects.toThrow(words);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * 1024 * 1024);
  });

  it('because its tiles are a billion pixels wide and high is refused', async () => {
    const bytes = sampleTiff({ tile: [16, 16], method: 8 });
    const huge = patched(patched(bytes, 322, 1_000_000_000), 323, 1_000_000_000);
    await expect(open(huge).then(async (file) => file.ask('raster', coarse))).rejects.toThrow(/larger than/);
  });

  it('because it has billions of tiles is refused', async () => {
    const bytes = sampleTiff({ tile: [16, 16], method: 8 });
    const huge = patched(patched(bytes, 256, 2_000_000_000), 257, 2_000_000_000);
    const file = await open(huge);
    await expect(file.ask('raster', coarse)).rejects.toThrow(/ends too early|beyond/);
    await expect(file.ask('raster', { ...tile, column: 1_000_000, row: 9 })).rejects.toThrow(/ends too early|beyond/);
  });

  it('because its smaller form is the page itself shows the page', async () => {
    const writer = new TiffWriter();
    const [place = 0] = writer.add({ width: 40, height: 30, levels: 1, value: ({ x }) => x });
    const bytes = patched(writer.bytes(), 330, place);
    const { levels } = await (await open(bytes)).ask('layout', { kind: 'layout', at: [] });
    expect(levels).toHaveLength(1);
  });

  it.each([8, 5, 32_773])(
    'because its strip of method %i unpacks to far more than it should is bounded',
    async (method) => {
      const packed = sampleTiff({ width: 600, height: 600, method, value: () => 0 });
      const bomb = patched(patched(patched(packed, 257, 30), 278, 30), 256, 40);
      const before = process.memoryUsage().arrayBuffers;
      const outcome = await open(bomb)
        .then(async (file) => file.ask('raster', coarse))
        .catch((error: Error) => error);
      if (outcome instanceof Error) expect(outcome.message).toMatch(/more than|more bytes/);
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * 1024 * 1024);
    },
  );

  it('because its JPEG claims a huge frame is refused', async () => {
    const frame = Buffer.from([0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0xff, 0xff, 0xff, 0xff, 3, ...new Uint8Array(90)]);
    const bytes = Buffer.from(patched(sampleTiff({ bits: 8, value: () => 0, method: 1 }), 259, 7));
    // The strip of 1200 bytes is the last of the file.
    frame.copy(bytes, bytes.length - 1200);
    await expect(open(new Uint8Array(bytes)).then(async (file) => file.ask('raster', coarse))).rejects.toThrow(
      /more than it should/,
    );
  });
});

/**
 * A TIFF whose first page has another value for a tag.
 *
 * @param field 8 for the value, 4 for the number of values.
 */
function patched(bytes: Uint8Array, tag: number, value: number, field: 4 | 8 = 8): Uint8Array {
  const copy = Buffer.from(bytes);
  for (let at = 10; at < 10 + 12 * copy.readUInt16LE(8); at += 12)
    if (copy.readUInt16LE(at) === tag) copy.writeUInt32LE(value, at + field);
  return new Uint8Array(copy);
}

/** A TIFF whose first page is followed by the directory at a place. */
function linked(bytes: Uint8Array, place: number): Uint8Array {
  const copy = Buffer.from(bytes);
  copy.writeUInt32LE(place, 10 + 12 * copy.readUInt16LE(8));
  return new Uint8Array(copy);
}
