import { expect, it } from 'vitest';
import { parseResponseHead } from '../../../src-main/service/http-client/parse-response-head.ts';

it('rows of blanks in a value cost no more than as much of anything else, and count only within it', () => {
  const blanks = ' \t'.repeat(200_000);
  const head = (value: string) => parseResponseHead(`HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX: ${value}`);
  expect(head(`${blanks}a${blanks}b${blanks}`)?.headers['x']).toBe(`a${blanks}b`);
  expect(head(`a${blanks}\u0001`)).toBeNull();
  expect(head(`a${' b'.repeat(30_000)}\u0001`)).toBeNull();
  expect(head(blanks)?.headers['x']).toBe('');
});
