import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openFile } from '../../../src-renderer/preview/readers/registry.ts';
import { memorySource } from './memory-source.ts';
import { sampleFile } from './sample-formats.ts';

async function elementsIn(bytes: Uint8Array) {
  const opened = await openFile(memorySource(bytes), 'scan.dcm');
  const part = await opened.answer({ kind: 'rows', offset: 0 });
  if (part.kind !== 'rows') throw new Error('no rows');
  return {
    content: opened.content,
    rows: part.rows,
    value: (tag: string) => part.rows.find((row) => row[2] === tag)?.[1],
  };
}

/** An element with a type and a short length, little-endian. */
function element(tag: string, type: string, value: Buffer | string, length = value.length): Buffer {
  const isLong = ['SQ', 'OB', 'OW', 'UN', 'UT'].includes(type);
  const header = Buffer.alloc(isLong ? 12 : 8);
  header.writeUInt16LE(Number.parseInt(tag.slice(0, 4), 16), 0);
  header.writeUInt16LE(Number.parseInt(tag.slice(4), 16), 2);
  header.write(type, 4, 'latin1');
  if (isLong) header.writeUInt32LE(length, 8);
  else header.writeUInt16LE(length, 6);
  return Buffer.concat([header, Buffer.from(value)]);
}

function item(tag: string, length: number, content: Buffer = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt16LE(0xfffe, 0);
  header.writeUInt16LE(Number.parseInt(tag, 16), 2);
  header.writeUInt32LE(length, 4);
  return Buffer.concat([header, content]);
}

function dicom(body: Buffer, syntax = '1.2.840.10008.1.2.1'): Uint8Array {
  const uid = syntax.length % 2 === 0 ? syntax : `${syntax}\0`;
  return new Uint8Array(Buffer.concat([Buffer.alloc(128), Buffer.from('DICM'), element('00020010', 'UI', uid), body]));
}

const endless = 0xffff_ffff;
const patient = element('00100010', 'PN', 'Bob ');

describe('DICOM', () => {
  it.each(['explicit', 'implicit', 'big', 'deflated'])('elements as pydicom writes them, %s', async (form) => {
    const { content, rows, value } = await elementsIn(await sampleFile(`pydicom-${form}.dcm`));
    expect(content).toMatchObject({
      format: 'DICOM file',
      views: ['table', 'bytes'],
      notes: ['The pixels are not drawn.'],
    });
    expect(rows).toContainEqual(['Patient’s Name', 'Größe^Alice', '0010,0010', 'PN']);
    expect(rows).toContainEqual(['SOP Class UID', '1.2.840.10008.5.1.4.1.1.2 (CT image)', '0008,0016', 'UI']);
    expect(rows).toContainEqual(['Rows', '4', '0028,0010', 'US']);
    expect(value('0008,0008')).toBe('ORIGINAL \\ PRIMARY');
    expect(value('0028,0030')).toBe('0.5 \\ 0.5');
    expect(rows.filter(([name]) => name === '› Referenced SOP Instance UID').map((row) => row[1])).toEqual([
      '1.2.3.5',
      '1.2.3.6',
    ]);
    expect(value('0018,0050')).toBe('2.5');
    if (form !== 'implicit') expect(value('0029,1001')).toBe('1.5 \\ 2.25');
    expect(value('0029,1002')).toBe('10 bytes');
    expect(rows.at(-1)).toEqual(['Pixel Data', '32 bytes', '7FE0,0010', expect.stringMatching(/^O[WB]$/)]);
  });

  it('fragments of packed values and marks that nothing opened are passed over', async () => {
    const icon = Buffer.concat([
      element('7fe00010', 'OB', '', endless),
      item('e000', 0),
      item('e000', 4, Buffer.from('abcd')),
      item('e0dd', 0),
    ]);
    const body = Buffer.concat([
      item('e0dd', 0),
      element('00880200', 'SQ', '', endless),
      item('e000', endless, icon),
      item('e00d', 0),
      item('e0dd', 0),
      patient,
    ]);
    const { rows } = await elementsIn(dicom(body));
    expect(rows.slice(1).map(([name, value]) => [name, value])).toEqual([
      ['Icon Image Sequence', ''],
      ['› Pixel Data', 'Packed'],
      ['Patient’s Name', 'Bob'],
    ]);
  });

  it.each([
    [
      'is longer than the file',
      element('00100020', 'LO', 'ab', 60_000),
      '(0010,0020) is longer than what it stands in',
    ],
    ['has no type', element('00100020', '\u0001\u0002', 'ab'), '(0010,0020) has no type'],
  ])('an element that %s ends the table in words', async (_, damaged, words) => {
    const { rows, content } = await elementsIn(dicom(Buffer.concat([patient, damaged])));
    expect(rows).toHaveLength(2);
    expect(content.notes[1]).toContain(words);
  });

  it('sequences inside of themselves end at a limit', async () => {
    const nested = Buffer.concat(
      Array.from({ length: 60 }, () => Buffer.concat([element('00081140', 'SQ', '', endless), item('e000', endless)])),
    );
    await expect(elementsIn(dicom(nested))).rejects.toThrow('too many others');
  });

  it('any number of empty items ends at a limit', async () => {
    const items = Buffer.concat(Array.from({ length: 110_000 }, () => item('e000', 0)));
    await expect(elementsIn(dicom(Buffer.concat([element('00081140', 'SQ', '', endless), items])))).rejects.toThrow(
      'more elements than a preview reads',
    );
  });

  it('very many elements are shown up to a limit', async () => {
    const { rows, content } = await elementsIn(dicom(Buffer.concat(Array.from({ length: 4000 }, () => patient))));
    expect(rows).toHaveLength(3000);
    expect(content.notes).toContain('Only the first 3000 elements are shown.');
  });

  it('of a long value the beginning is read', async () => {
    const { value } = await elementsIn(dicom(element('00204000', 'UT', 'a'.repeat(9000))));
    expect(value('0020,4000')).toBe(`${'a'.repeat(2048)}…`);
  });

  it('packed elements that unpack to very much are read as far as is needed', async () => {
    const body = Buffer.concat([patient, element('00091001', 'OB', Buffer.alloc(4_000_000)), patient]);
    const bytes = dicom(deflateRawSync(body), '1.2.840.10008.1.2.1.99');
    expect((await elementsIn(bytes)).rows).toHaveLength(4);
    await expect(elementsIn(bytes.subarray(0, 170))).rejects.toThrow(/damaged/);
  });

  it('without the way its elements are written it is refused', async () => {
    const bytes = Buffer.concat([Buffer.alloc(128), Buffer.from('DICM'), patient]);
    await expect(elementsIn(new Uint8Array(bytes))).rejects.toThrow('does not say how its elements are written');
  });
});
