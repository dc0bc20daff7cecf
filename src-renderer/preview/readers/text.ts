import type { TextPart } from '../messages/content.ts';
import type { ByteSource } from '../provider/byte-source.ts';
import { encodingOf, endOfPart, type Encoding } from './common/encodings.ts';
import { plainContent, type OpenedFile, type Reader } from './reader.ts';
import { malformed } from '../provider/preview-error.ts';

const partBytes = 64 * 1024;

const encodingNames: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16, little-endian',
  'utf-16be': 'UTF-16, big-endian',
  'windows-1252': 'Latin-1',
};

/** Names of kinds of text, by the end of the file name. */
const names: readonly (readonly [end: RegExp, name: string])[] = [
  [/\.(?:json|jsonl|ndjson|geojson|ipynb)$/, 'JSON text'],
  [/\.(?:xml|xsd|xslt?|mzml|mzxml|imzml|gml)$/, 'XML text'],
  [/\.(?:md|markdown)$/, 'Markdown text'],
  [/\.(?:html?|xhtml)$/, 'HTML source'],
  [/\.(?:ya?ml|toml|ini|cfg|conf)$/, 'Settings text'],
  [/\.log$/, 'Log text'],
];

/** Whether an encoding was named by `encodingNames`. */
function isEncoding(name: string): name is Encoding {
  return Object.hasOwn(encodingNames, name);
}

/** A part of a text from a place in the file. */
export async function readText(source: ByteSource, offset: number, wanted: string | null): Promise<TextPart> {
  const head = await source.read(0, 4096);
  const found = encodingOf(head) ?? { encoding: 'windows-1252', markBytes: 0 };
  const encoding = wanted !== null && isEncoding(wanted) ? wanted : found.encoding;
  const from = Math.max(offset, encoding === found.encoding ? found.markBytes : 0);
  if (offset > source.length) throw malformed('The file ends before this place.');
  const bytes = await source.read(from, partBytes);
  const end = endOfPart(bytes, encoding, from + bytes.length >= source.length);
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes.subarray(0, end));
  const next = from + end;
  return { kind: 'text', text, encoding, next: next >= source.length || end === 0 ? null : next };
}

/** Any text: JSON, XML, Markdown and source code are shown as they are. */
export const textReader: Reader = {
  matches: ({ head }) => encodingOf(head) !== null,
  async open(source, { head, name }): Promise<OpenedFile> {
    const { encoding } = encodingOf(head) ?? { encoding: 'utf-8' as const };
    const kind = names.find(([end]) => end.test(name))?.[1] ?? 'Text';
    return {
      content: plainContent(`${kind} (${encodingNames[encoding]})`, ['text']),
      async answer(question) {
        if (question.kind !== 'text') throw malformed('A text has no such part.');
        return readText(source, question.offset, question.encoding);
      },
    };
  },
};
