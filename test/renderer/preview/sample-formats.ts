import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { deflateSync } from 'node:zlib';

/** A small file that a program of its format wrote (`files/README.md`). */
export async function sampleFile(name: string): Promise<Uint8Array> {
  return new Uint8Array(await readFile(path.join(import.meta.dirname, 'files', name)));
}

/** A ZIP that Python's zipfile wrote. */
export async function sampleZip(members = 30): Promise<Uint8Array> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-preview-'));
  try {
    const file = path.join(dir, 'run.zip');
    const program = `import zipfile,sys
z=zipfile.ZipFile(sys.argv[1],'w',zipfile.ZIP_DEFLATED)
for i in range(int(sys.argv[2])): z.writestr(zipfile.ZipInfo('raw/größe %03d.txt'%i,(2026,1,31,10,20,30)),'value\\n'*i,8)
z.close()`;
    execFileSync('python3', ['-c', program, file, String(members)]);
    return new Uint8Array(await readFile(file));
  } finally {
    await rm(dir, { recursive: true });
  }
}

/** A NIfTI-1 of 16 bits, 5 × 4 × 3 × 2; each value is its place in the file, doubled and raised by one. */
export function sampleNifti(): Uint8Array {
  const header = Buffer.alloc(352);
  header.writeInt32LE(348, 0);
  for (const [at, side] of [4, 5, 4, 3, 2].entries()) header.writeInt16LE(side, 40 + 2 * at);
  header.writeInt16LE(4, 70);
  header.writeInt16LE(16, 72);
  header.writeFloatLE(352, 108);
  header.writeFloatLE(2, 112);
  header.writeFloatLE(1, 116);
  header.write('a head', 148);
  header.write('n+1\0', 344);
  const values = Int16Array.from({ length: 5 * 4 * 3 * 2 }, (_, at) => at);
  return new Uint8Array(Buffer.concat([header, Buffer.from(values.buffer)]));
}

/** An FCS 3.1 header with keywords; a value holds the character that ends values. */
export function sampleFcs(): Uint8Array {
  const text = '/$TOT/1000/$PAR/2/$CYT/Aria//II/$P1N/FSC-A/$P2N/SSC-A/';
  const head = `FCS3.1    ${String(58).padStart(8)}${String(58 + text.length - 1).padStart(8)}${'0'.padStart(8).repeat(4)}`;
  return new Uint8Array(Buffer.from(head + text, 'latin1'));
}

/** The same five values in several forms of JCAMP-DX: 10, 11, 13, 13, 9. */
export function sampleJcamp(rows = '400 A0A1A3A3i9'.replace('i9', '9')): string {
  return `##TITLE= ethanol\n##JCAMP-DX= 4.24\n##XUNITS= 1/CM\n##YUNITS= ABSORBANCE\n##FIRSTX= 400\n##LASTX= 404\n##NPOINTS= 5\n##XFACTOR= 1\n##YFACTOR= 0.5\n##XYDATA= (X++(Y..Y))\n${rows}\n##END=\n`;
}

export function sampleNotebook(): string {
  return JSON.stringify({
    nbformat: 4,
    cells: [
      { cell_type: 'markdown', source: ['# Fit\n', 'of the peak'] },
      {
        cell_type: 'code',
        execution_count: 3,
        source: 'print(2)',
        outputs: [{ output_type: 'stream', text: ['2\n'] }, { data: { 'text/plain': 'Figure', 'image/png': 'AAAA' } }],
      },
    ],
  });
}

/** An indexed mzML whose spectrum `n` has two peaks, at 100 + n and 200 + n, of intensity n and 2n. */
export function sampleMzml(count: number): Uint8Array {
  const array = (accession: string, values: readonly number[], isPacked: boolean): string => {
    const bytes = Buffer.from(Float64Array.from(values).buffer);
    const packed = (isPacked ? deflateSync(bytes) : bytes).toString('base64');
    return `<binaryDataArray encodedLength="${packed.length}"><cvParam accession="MS:1000523"/><cvParam accession="${isPacked ? 'MS:1000574' : 'MS:1000576'}"/><cvParam accession="${accession}"/><binary>${packed}</binary></binaryDataArray>`;
  };
  let text = `<?xml version="1.0"?>\n<indexedmzML xmlns="http://psi.hupo.org/ms/mzml"><mzML><run><spectrumList count="${count}">\n`;
  const offsets: number[] = [];
  for (let at = 0; at < count; at += 1) {
    offsets.push(text.length);
    text += `<spectrum index="${at}" id="scan=${at + 1}"><binaryDataArrayList count="2">${array('MS:1000514', [100 + at, 200 + at], at % 2 === 0)}${array('MS:1000515', [at, 2 * at], at % 3 === 0)}</binaryDataArrayList></spectrum>\n`;
  }
  text += '</spectrumList></run></mzML>\n';
  const listAt = text.length;
  text += `<indexList count="1"><index name="spectrum">\n${offsets.map((offset, at) => `<offset idRef="scan=${at + 1}">${offset}</offset>\n`).join('')}</index></indexList>\n<indexListOffset>${listAt}</indexListOffset></indexedmzML>\n`;
  return new Uint8Array(Buffer.from(text, 'latin1'));
}
