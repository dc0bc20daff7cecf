import { crc32, deflateSync } from 'node:zlib';
import { File, ready } from 'h5wasm';

/** A table as an instrument writes it: remarks, names, values. */
export function sampleCsv(rows: number): string {
  const lines = ['# diffractometer 2', '# counts of one hour', 'angle,counts,"error, relative"'];
  for (let row = 0; row < rows; row += 1)
    lines.push(`${(row / 100).toFixed(2)},${Math.round(1000 + 900 * Math.sin(row / 50))},${(row % 10) / 100}`);
  return `${lines.join('\n')}\n`;
}

/** A PNG of grey bars; the header may state another size than the picture has. */
export function samplePng(width: number, height: number, stated = { width, height }): Buffer {
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) rows[y * (width + 1) + 1 + x] = (x * 255) / width;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(stated.width, 0);
  header.writeUInt32BE(stated.height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A NeXus file: a spectrum of as many `values` that its attributes name, frames of a detector, texts and a dead link. */
export async function sampleNexus(values = 5000): Promise<Uint8Array> {
  const { FS } = await ready;
  const place = '/sample.nxs';
  const file = new File(place, 'w');
  file.create_attribute('default', 'entry');
  const entry = file.create_group('entry');
  entry.create_attribute('NX_class', 'NXentry');
  entry.create_attribute('default', 'spectrum');
  entry.create_dataset({ name: 'title', data: 'Iron, second try' });
  const spectrum = entry.create_group('spectrum');
  spectrum.create_attribute('NX_class', 'NXdata');
  spectrum.create_attribute('signal', 'counts');
  spectrum.create_attribute('axes', ['energy']);
  spectrum.create_dataset({ name: 'counts', data: Float64Array.from({ length: values }, (_, at) => 100 + (at % 100)) });
  spectrum.create_dataset({ name: 'energy', data: Float64Array.from({ length: values }, (_, at) => at / 10) });
  const detector = entry.create_group('detector');
  detector.create_dataset({
    name: 'frames',
    data: Uint16Array.from({ length: 6 * 64 * 48 }, (_, at) => at % 4000),
    shape: [6, 64, 48],
    chunks: [1, 64, 48],
    compression: 'gzip',
  });
  entry.create_soft_link('/nowhere', 'lost');
  file.close();
  const bytes =
    FS === null ? new Uint8Array() : (FS as unknown as { readFile: (path: string) => Uint8Array }).readFile(place);
  return Uint8Array.from(bytes);
}
