import { describe, expect, it } from 'vitest';
import { answer } from '../../../src-renderer/preview/messages/content.ts';
import { openFile } from '../../../src-renderer/preview/readers/registry.ts';
import { memorySource, utf8 } from './memory-source.ts';
import { samplePng } from './sample-files.ts';

async function drawn(text: string | Uint8Array): Promise<string> {
  const opened = await openFile(memorySource(typeof text === 'string' ? utf8(text) : text), 'figure.svg');
  expect(opened.content).toMatchObject({ format: 'SVG drawing', views: ['drawing', 'text', 'bytes'] });
  const got = answer(await opened.answer({ kind: 'drawing' }));
  if (got.kind !== 'drawing') throw new Error('no drawing');
  return got.svg;
}

const svg = (content: string): string => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${content}</svg>`;
const png = (width: number): string =>
  `data:image/png;base64,${samplePng(4, 4, { width, height: width }).toString('base64')}`;

/** Nine levels, each of which draws the one before ten times. */
const nested = (draw: (level: number) => string): string =>
  svg(
    `<g id="a0"><path d="M0 0"/></g>${Array.from({ length: 9 }, (_, level) => `<g id="a${level + 1}">${draw(level).repeat(10)}</g>`).join('')}`,
  );

describe('SVG', () => {
  it('is handed to the page without the encoding that it states', async () => {
    expect(await drawn(`<?xml version="1.0" encoding="UTF-7"?>\n${svg('<text>Größe</text>')}`)).toBe(
      `\n${svg('<text>Größe</text>')}`,
    );
    expect(await drawn(Buffer.from(`\ufeff${svg('<text>Größe</text>')}`, 'utf16le'))).toContain('Größe');
  });

  it('may have what common programs write', async () => {
    const common = `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
      <!-- plot --><svg id="svg5" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" inkscape:export-filename="C:\\plots\\a.png">
      <style type="text/css">*{stroke-linejoin: round} .axis{fill:none}</style><style><![CDATA[ .line{stroke:#000} ]]></style>
      <defs><path id="m1" d="M0 0"/><clipPath id="p1"><rect width="5"/></clipPath></defs>
      <g clip-path="url(#p1)"><use xlink:href="#m1" x="1"/><use xlink:href="#m1" x="2"/></g><image xlink:href="${png(4)}"/></svg>`;
    expect(await drawn(common)).toBe(common);
  });

  it.each([
    ['draws by reference what others draw', nested((level) => `<use href="#a${level}"/>`), 'more than 200000 elements'],
    ['hides references in numbers', nested((level) => `<use href="&#x23;a${level}"/>`), 'more than 200000 elements'],
    [
      'fills by patterns of patterns',
      nested((level) => `<rect style="fill:URL( '#a${level}' )"/>`),
      'more than 200000',
    ],
    [
      'repeats a name',
      `${nested((level) => `<use href="#a${level}"/>`).slice(0, -6)}<g id="a8"/></svg>`,
      'more than 200000',
    ],
    ['refers to itself', svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'), 'refers to itself'],
    ['has entities', `<!DOCTYPE svg [<!ENTITY a "b">]>${svg('&a;')}`, 'parts of its language'],
    ['has instructions', `<?xml-stylesheet href="a.css"?>${svg('')}`, 'instructions for programs'],
    ['refers in styles', svg('<style>*{fill:url(#a)}</style>'), 'in styles'],
    ['imports styles', svg('<style>@import "a.css"</style>'), 'in styles'],
    ['escapes names', svg('<rect style="fill:u\\72l(#a)"/>'), 'escapes'],
    ['uses filters', svg('<rect filter="url(#f)"/>'), 'filters'],
    ['moves', svg('<use><set attributeName="href" to="#a"/></use>'), 'moves'],
    ['contains a huge picture', svg(`<image href="${png(60_000)}"/>`), 'too large'],
    ['contains a drawing', svg('<image href="data:image/svg+xml;base64,PHN2Zy8+"/>'), 'unknown format'],
    ['has a tag without an end', svg('<rect width="'), 'does not end'],
    ['is deep', svg('<g>'.repeat(300)), 'inside of each other'],
    ['is large', svg(' '.repeat(5 * 1024 * 1024)), '4 MiB'],
  ])('one that %s is shown as its source, and says why', async (_, text, words) => {
    const opened = await openFile(memorySource(utf8(text)), 'figure.svg');
    expect(opened.content.views).toEqual(['text', 'bytes']);
    expect(opened.content.notes).toEqual([expect.stringContaining(words)]);
    await expect(opened.answer({ kind: 'drawing' })).rejects.toThrow('no such part');
    expect(await opened.answer({ kind: 'text', offset: 0, encoding: null })).toMatchObject({
      text: text.slice(0, 65_536),
    });
  });
});
