import { describe, expect, it } from 'vitest';
import { IngestFailure } from '../../../../src-main/service/errors/normalise/ingest-failure.ts';
import { EnvelopeReader } from '../../../../src-main/service/errors/ingest/read-envelope.ts';

interface Read {
  readonly header: unknown;
  readonly items: readonly (readonly [string, string | null])[];
}

/** Reads an envelope in pieces of so many bytes. */
function read(text: string | Buffer, pieces = 1_000_000, wanted = 100): Read {
  let header: unknown = null;
  const items: [string, string | null][] = [];
  const reader = new EnvelopeReader({
    header: (fields) => (header = fields),
    wanted: () => wanted,
    kept: () => {},
    item: (type, payload) => items.push([type, payload?.toString() ?? null]),
  });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieces) reader.write(bytes.subarray(at, at + pieces));
  reader.end();
  return { header, items };
}

const header = '{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc"}\n';

describe.each([1, 3, 7, 1_000_000])('an envelope in pieces of %i bytes', (pieces) => {
  it.each([
    ['length and final line feed', `${header}{"type":"event","length":2}\n{}\n`, [['event', '{}']]],
    ['length without final line feed', `${header}{"type":"event","length":2}\n{}`, [['event', '{}']]],
    ['no length', `${header}{"type":"event"}\n{}\n`, [['event', '{}']]],
    ['no length, no final line feed', `${header}{"type":"event"}\n{}`, [['event', '{}']]],
    ['no items', header, []],
    ['no items and no line feed', header.trim(), []],
    ['an empty header', '{}', []],
    [
      'a payload of length 0',
      `${header}{"type":"attachment","length":0}\n\n{"type":"event","length":2}\n{}`,
      [
        ['attachment', ''],
        ['event', '{}'],
      ],
    ],
    ['a payload of length 0 at the end', `${header}{"type":"attachment","length":0}\n`, [['attachment', '']]],
    ['an item header and nothing after it', `${header}{"type":"event"}`, [['event', '']]],
    ['a payload of length 0 and no line feed', `${header}{"type":"attachment","length":0}`, [['attachment', '']]],
    [
      'line feeds within a payload',
      `${header}{"type":"attachment","length":5}\na\n\nb\n\n{"type":"event"}\n{}`,
      [
        ['attachment', 'a\n\nb\n'],
        ['event', '{}'],
      ],
    ],
    [
      'a length in bytes, not characters',
      `${header}{"type":"x","length":7}\n"ä€"\n{"type":"event"}\n{}`,
      [
        ['x', '"ä€"'],
        ['event', '{}'],
      ],
    ],
    ['a carriage return, which is part of the payload', `${header}{"type":"x"}\n{}\r\n`, [['x', '{}\r']]],
    ['a length of null', `${header}{"type":"x","length":null}\n{}\n`, [['x', '{}']]],
    ['an item without a type', `${header}{}\n{}\n`, [['', '{}']]],
    [
      'a blank line between items',
      `${header}{"type":"x"}\n1\n\n{"type":"y"}\n2\n`,
      [
        ['x', '1'],
        ['y', '2'],
      ],
    ],
    [
      'more than is wanted',
      `${header}{"type":"x","length":101}\n${'a'.repeat(101)}\n{"type":"y"}\n${'b'.repeat(101)}\n`,
      [
        ['x', null],
        ['y', null],
      ],
    ],
    ['just as much as is wanted', `${header}{"type":"x","length":100}\n${'a'.repeat(100)}\n`, [['x', 'a'.repeat(100)]]],
  ] as const)('with %s is read', (_what, text, items) => {
    expect(read(text, pieces).items).toEqual(items);
  });

  it.each([
    ['shorter than its length', `${header}{"type":"event","length":3}\n{}`],
    ['longer than its length', `${header}{"type":"event","length":1}\n{}\n`],
    ['a text as length', `${header}{"type":"event","length":"2"}\n{}\n`],
    ['a negative length', `${header}{"type":"event","length":-2}\n{}\n`],
    ['a length beyond all numbers', `${header}{"type":"event","length":1e400}\n{}\n`],
    ['a header that is no JSON', `{"event_id\n{"type":"event"}\n{}`],
    ['a header that is a list', '[]\n'],
    ['nothing', ''],
    ['an item header that ends', `${header}{"type":"event"`],
    ['an item header that is a text', `${header}"event"\n{}`],
    ['a header line without end', `{"a":"${'a'.repeat(20_000)}"}\n`],
  ] as const)('with %s is refused', (_what, text) => {
    expect(() => read(text, pieces)).toThrow(expect.objectContaining({ status: 400 }));
  });
});

it('does not read any number of items', () => {
  expect(() => read(header + '{}\n\n'.repeat(1001))).toThrow(
    new IngestFailure(413, 'The envelope has more than 1000 items.', { drop: 'too-large' }),
  );
});

it('blank lines between items are nothing, but not without end', () => {
  const item = '{"type":"event"}\n{}\n';
  expect(read(`${header}\n\n${item}\r\n${item}${'\n'.repeat(900)}`).items).toHaveLength(2);
  expect(() => read(`${header}${'\n'.repeat(1100)}`)).toThrow('The envelope has more than 1000 blank lines.');
});
