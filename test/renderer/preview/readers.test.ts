import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src-renderer/preview/messages/content.ts';
import { content } from '../../../src-renderer/preview/messages/content.ts';
import type { Question } from '../../../src-renderer/preview/messages/messages.ts';
import { openFile } from '../../../src-renderer/preview/readers/registry.ts';
import { memorySource, utf8 } from './memory-source.ts';
import { sampleCsv, samplePng } from './sample-files.ts';
import { ask } from './ask-reader.ts';

const textAt = (offset: number): Question => ({ kind: 'text', offset, encoding: null });

describe('texts', () => {
  it.each([
    ['UTF-8', utf8('Größe 5 µm\n'), 'Text (UTF-8)'],
    ['UTF-8 with a mark', new Uint8Array([0xef, 0xbb, 0xbf, ...utf8('Größe 5 µm\n')]), 'Text (UTF-8)'],
    ['Latin-1', Buffer.from('Größe 5 µm\n', 'latin1'), 'Text (Latin-1)'],
    ['UTF-16', Buffer.from('\ufeffGröße 5 µm\n', 'utf16le'), 'Text (UTF-16, little-endian)'],
    ['UTF-16 without a mark', Buffer.from('Größe 5 µm\n', 'utf16le'), 'Text (UTF-16, little-endian)'],
    ['UTF-16, the other order', Buffer.from('\ufeffGröße 5 µm\n', 'utf16le').swap16(), 'Text (UTF-16, big-endian)'],
  ])('%s is recognised', async (_, bytes, format) => {
    const opened = await openFile(memorySource(bytes), 'notes.txt');
    expect(opened.content.format).toBe(format);
    expect((await ask(bytes, 'notes.txt', 'text', textAt(0))).text).toBe('Größe 5 µm\n');
  });

  it.each(['utf8', 'utf16le'] as const)('parts in %s together are the whole text', async (encoding) => {
    const whole = Array.from({ length: 9000 }, (_, at) => `${at} äöü 😀 ${'x'.repeat(at % 40)}`).join('\n');
    const source = memorySource(Buffer.from(`\ufeff${whole}`, encoding));
    const opened = await openFile(source, 'log.txt');
    let text = '';
    for (let next: number | null = 0; next !== null;) {
      const part: Answer = await opened.answer(textAt(next));
      if (part.kind !== 'text') throw new Error(part.kind);
      text += part.text;
      next = part.next;
    }
    expect(text).toBe(whole);
  });

  it('one line that fills several parts is not cut within a character', async () => {
    const line = '😀'.repeat(40_000);
    const first = await ask(utf8(line), 'one.txt', 'text', textAt(0));
    expect(first.text).not.toContain('\ufffd');
    expect(first.next).toBeLessThanOrEqual(65_536);
  });

  it.each([
    ['a.json', '{"a": 1}', 'JSON text (UTF-8)'],
    ['a.html', '<script>1</script>', 'HTML source (UTF-8)'],
    ['a.md', '# One', 'Markdown text (UTF-8)'],
  ])('%s is text and nothing else', async (name, text, format) => {
    const { content: shown } = await openFile(memorySource(utf8(text)), name);
    expect(shown).toMatchObject({ format, views: ['text', 'bytes'] });
  });
});

describe('bytes', () => {
  it.each([
    [Buffer.from('%PDF-1.7\0'), 'a PDF document'],
    [Buffer.from('ARROW1\0\0'), 'an Arrow file'],
    [Buffer.from('SQLite format 3\0'), 'an SQLite database'],
  ])('the first bytes say what it is: %#', async (bytes, name) => {
    const opened = await openFile(memorySource(bytes), 'unknown.bin');
    expect(opened.content.views).toEqual(['bytes']);
    expect(opened.content.notes[0]).toContain(name);
  });

  it('an empty file is said to be empty', async () => {
    expect((await openFile(memorySource(new Uint8Array()), 'empty.h5')).content.views).toEqual(['text', 'bytes']);
    expect((await openFile(memorySource(new Uint8Array()), 'empty.h5', true)).content.notes).toEqual([
      'The file is empty.',
    ]);
  });
});

describe('tables', () => {
  it('names come after the remarks, and columns of numbers are known', async () => {
    const { content: shown } = await openFile(memorySource(utf8(sampleCsv(100))), 'scan.csv');
    expect(content(shown)).toMatchObject({
      views: ['table', 'plot', 'text', 'bytes'],
      columns: [
        { name: 'angle', isNumber: true, isWide: false },
        { name: 'counts', isNumber: true, isWide: false },
        { name: 'error, relative', isNumber: true, isWide: false },
      ],
    });
  });

  it('rows are numbered through all parts', async () => {
    const opened = await openFile(memorySource(utf8(sampleCsv(20_000))), 'scan.csv');
    let rows = 0;
    for (let next: number | null = 0; next !== null;) {
      const part: Answer = await opened.answer({ kind: 'rows', offset: next });
      if (part.kind !== 'rows') throw new Error(part.kind);
      expect(part).toMatchObject({ isCounted: true, firstRow: rows + 1 });
      rows += part.rows.length;
      next = part.next;
    }
    expect(rows).toBe(20_000);
  });

  it('a part from anywhere begins with a whole row, and its number is estimated', async () => {
    const part = await ask(utf8(sampleCsv(20_000)), 'scan.csv', 'rows', { kind: 'rows', offset: 123_456 });
    expect(part.isCounted).toBe(false);
    expect(part.rows[0]).toHaveLength(3);
    const row = Number(part.rows[0]?.[0]) * 100 + 1;
    expect(Math.abs(part.firstRow - row)).toBeLessThan(row * 0.2);
  });

  it.each([
    ['decimal commas', 'Weg;Kraft\n0,5;1,25\n1,0;-2,5\n1,5;3e2\n', 'a.csv'],
    ['tabs', 'x\ty\n0.5\t1.25\n1\t-2.5\n1.5\t300\n', 'a.tsv'],
    ['a text of an instrument', '0.5\t1.25\n1\t-2.5\n1.5\t300\n', 'a.xy'],
  ])('%s are read as numbers', async (_, text, name) => {
    const curve = await ask(utf8(text), name, 'curve', { kind: 'curve', x: 0, y: 1 });
    expect(Array.from(curve.x)).toEqual([0.5, 1, 1.5]);
    expect(Array.from(curve.high)).toEqual([1.25, -2.5, 300]);
  });

  it('a field in quotes may hold delimiters, line ends and quotes', async () => {
    const text = 'a,b\n"one, two","say ""yes"""\n"two\nlines",3\nx,y\n';
    const { rows } = await ask(utf8(text), 'a.csv', 'rows', { kind: 'rows', offset: 0 });
    expect(rows).toEqual([
      ['one, two', 'say "yes"'],
      ['two\nlines', '3'],
      ['x', 'y'],
    ]);
  });

  it('of a large table only places are read, and peaks within them are kept', async () => {
    const text = sampleCsv(1_200_000);
    const source = memorySource(utf8(text));
    const opened = await openFile(source, 'scan.csv');
    const curve = await opened.answer({ kind: 'curve', x: null, y: 1 });
    if (curve.kind !== 'curve') throw new Error(curve.kind);
    expect(source.length).toBeGreaterThan(16_000_000);
    expect(source.bytesRead()).toBeLessThan(9_000_000);
    expect(curve.isSampled).toBe(true);
    expect(Math.abs(curve.of - 1_200_000)).toBeLessThan(120_000);
    expect(curve.x.length).toBeLessThan(5000);
    expect(Math.max(...curve.high)).toBe(1900);
    expect(Math.min(...curve.low)).toBe(100);
  });

  it('prose with commas is no table', async () => {
    const opened = await openFile(memorySource(utf8('Dear Bob,\nthanks, it came.\nAlice\n')), 'letter.txt');
    expect(opened.content.views).toEqual(['text', 'bytes']);
  });
});

describe('pictures', () => {
  it('state their size in the header', async () => {
    const { content: shown } = await openFile(memorySource(samplePng(30, 20)), 'a.png');
    expect(shown).toMatchObject({ format: 'PNG picture', picture: { width: 30, height: 20 } });
  });

  it.each([
    [60_000, 60_000],
    [40_000, 2],
    [2 ** 31, 2 ** 31],
  ])('one that claims %d × %d pixels is refused before it is decoded', async (width, height) => {
    const bytes = samplePng(8, 8, { width, height });
    await expect(openFile(memorySource(bytes), 'a.png')).rejects.toMatchObject({ reason: 'limit' });
  });

  it.each([
    ['no size', samplePng(8, 8).subarray(0, 14)],
    ['a size of nothing', samplePng(8, 8, { width: 0, height: 8 })],
    ['a JPEG whose segments lead nowhere', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0, 0])],
  ])('%s is said to be damaged', async (_, bytes) => {
    await expect(openFile(memorySource(bytes), 'a.png')).rejects.toMatchObject({ reason: 'malformed' });
  });
});
