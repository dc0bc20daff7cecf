import { open } from 'node:fs/promises';
import { omeXml, waves } from '../../renderer/preview/sample-pictures.ts';
import { TiffWriter } from '../../renderer/preview/sample-tiff.ts';

const tile = 512;
/** 163,840 × 122,880 values of 16 bits are 40 GB. */
const [width, height] = [163_840, 122_880];
/** Forms down to 640 × 480; those before the last two are as sparse as the page itself. */
const levels = 8;
const writtenLevels = 2;

/** Writes a sparse BigTIFF of 40 GB with smaller forms, as OME-TIFF has them; returns its bytes. */
export async function writeSparsePicture(file: string): Promise<number> {
  const writer = new TiffWriter({ isBig: true, isSparse: true });
  writer.add({
    width,
    height,
    tile: [tile, tile],
    levels,
    sparseLevels: levels + 1 - writtenLevels,
    description: omeXml({ width, height, depths: 1 }).replace('SizeC="2"', 'SizeC="1"'),
    value: waves,
  });
  const { length, parts } = writer.end();
  const handle = await open(file, 'w');
  try {
    for (const { offset, bytes } of parts) await handle.write(bytes, 0, bytes.length, offset);
    await handle.truncate(length);
  } finally {
    await handle.close();
  }
  return length;
}
