import { expect, test } from 'vitest';
import {
  languageOf,
  tokensOf,
  type Language,
  type OpenText,
} from '../../../src-renderer/features/errors/event/code-tokens.ts';
import { requestOf } from '../../../src-renderer/features/errors/event/breadcrumb-request.ts';
import { functionOf, threadName } from '../../../src-renderer/features/errors/event/stack-text.ts';

const kinds = (line: string, language: Language, open: OpenText = null): string =>
  tokensOf(line, language, open)
    .tokens.filter(({ kind }) => kind !== 'plain')
    .map(({ kind, text }) => `${kind} ${text}`)
    .join(' | ');

test('keywords, strings, numbers and comments of each language are distinguished', () => {
  expect(kinds('if frame is None:  # "no" frame', 'python')).toBe(
    'keyword if | keyword is | keyword None | comment # "no" frame',
  );
  expect(kinds("const url = 'a//b' + `x ${1}`; // end", 'javascript')).toBe(
    "keyword const | string 'a//b' | string `x ${1}` | comment // end",
  );
  expect(kinds('x := "\\"" /* two */ + 0x1f', 'go')).toBe('string "\\"" | comment /* two */ | numeric 0x1f');
  expect(kinds("fn f<'a>(x: &'a str) -> u8 { 'b' }", 'rust')).toBe('keyword fn');
  expect(kinds('puts "a" unless x # y', 'ruby')).toBe('string "a" | keyword unless | comment # y');
  expect(kinds('$x = "a"; # b', 'php')).toBe('string "a" | comment # b');
  expect(kinds('#include <math.h> // c', 'c')).toBe('keyword include | comment // c');
});

test('an unfinished token continues in the next line', () => {
  const first = tokensOf('x = """one', 'python', null);
  expect(first.next).toEqual({ end: '"""', kind: 'string' });
  expect(kinds('two""" if', 'python', first.next)).toBe('string two""" | keyword if');
  const comment = tokensOf('a /* b', 'java', null);
  expect(kinds('still', 'java', comment.next)).toBe('comment still');
  expect(kinds('over */ return 1', 'java', comment.next)).toBe('comment over */ | keyword return | numeric 1');
  // An unterminated string does not colour the rest of the file.
  expect(tokensOf("x = 'a", 'javascript', null).next).toBeNull();
});

test('the tokens always make up the line, for any text, in linear time', () => {
  const awkward = [
    '',
    '"""',
    "'\\",
    '/*',
    '*/',
    '`${`${`',
    '\u202E"x"',
    '😀#"',
    '((((((',
    '"'.repeat(400),
    '/*'.repeat(200),
    `${'a'.repeat(199)}"`,
    '\\'.repeat(400),
  ];
  for (const line of awkward) {
    for (const language of ['python', 'javascript', 'go', 'java', 'rust', 'php', 'ruby', 'c', 'csharp'] as const) {
      for (const open of [null, { end: '"""', kind: 'string' }, { end: '*/', kind: 'comment' }] as const) {
        const { tokens } = tokensOf(line, language, open);
        expect(tokens.map(({ text }) => text).join('')).toBe(line);
        expect(tokens.length).toBeLessThanOrEqual(line.length + 1);
      }
    }
  }
  expect(tokensOf('anything at all', null, null).tokens).toEqual([{ kind: 'plain', text: 'anything at all' }]);
});

test("a language is determined by the file's extension, or else by the platform", () => {
  expect(languageOf('bench/acquire.py', 'other')).toBe('python');
  expect(languageOf('app:///main.TSX', 'python')).toBe('javascript');
  expect(languageOf('<stdin>', 'node')).toBe('javascript');
  expect(languageOf('Makefile', 'other')).toBeNull();
  expect(languageOf('x.constructor', 'constructor')).toBeNull();
});

test('functions and threads without a name, and requests among breadcrumbs, are named', () => {
  const frame = (name: string | null) => ({ function: name }) as Parameters<typeof functionOf>[0];
  expect([functionOf(frame(null)), functionOf(frame('?')), functionOf(frame('')), functionOf(frame('read'))]).toEqual([
    '<anonymous>',
    '<anonymous>',
    '<anonymous>',
    'read',
  ]);
  const thread = (id: string | null, name: string | null) => ({ id, name }) as Parameters<typeof threadName>[0];
  expect([
    threadName(thread(null, null)),
    threadName(thread('?', null)),
    threadName(thread('7', null)),
    threadName(thread('7', 'main')),
  ]).toEqual([null, null, '7', 'main']);
  expect(requestOf({ data: { method: 'GET', url: 'https://lab.example/run/7', status_code: 503 } })).toBe(
    'GET https://lab.example/run/7, 503',
  );
  expect(requestOf({ data: { url: '/run' } })).toBe('/run');
  expect(requestOf({ data: { level: 'x' } })).toBeNull();
  expect(requestOf({ data: null })).toBeNull();
});
