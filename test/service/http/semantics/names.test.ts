import { expect, test } from 'vitest';
import { attachment } from '../../../../src-main/service/http/semantics/content-disposition.ts';
import { mediaTypeOf } from '../../../../src-main/service/http/semantics/media-type.ts';

test.each([
  ['a.txt', `attachment; filename="a.txt"; filename*=UTF-8''a.txt`],
  ['Größe 5 %.csv', `attachment; filename="Gro_e 5 _.csv"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%205%20%25.csv`],
  ['"quoted"\\.txt', `attachment; filename="_quoted__.txt"; filename*=UTF-8''%22quoted%22%5C.txt`],
  ["it's (1)*.txt", `attachment; filename="it's (1)*.txt"; filename*=UTF-8''it%27s%20%281%29%2A.txt`],
  [
    'a\r\nSet-Cookie: x.txt',
    `attachment; filename="a__Set-Cookie: x.txt"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20x.txt`,
  ],
  ['\ud83d\udd2c.tif', `attachment; filename="_.tif"; filename*=UTF-8''%F0%9F%94%AC.tif`],
  ['\ud83d.tif', `attachment; filename="_.tif"; filename*=UTF-8''%EF%BF%BD.tif`],
])('%j is offered under this name', (name, header) => {
  expect(attachment(name)).toBe(header);
});

test.each([
  ['run/a.CSV', 'text/csv; charset=utf-8'],
  ['a.html', 'application/octet-stream'],
  ['a.svg', 'application/octet-stream'],
  ['a.xml', 'application/octet-stream'],
  ['a.js', 'application/octet-stream'],
  ['README', 'application/octet-stream'],
  ['a.constructor', 'application/octet-stream'],
  ['.', 'application/octet-stream'],
  ['', 'application/octet-stream'],
])('%j has a type that no browser runs', (name, type) => {
  expect(mediaTypeOf(name)).toBe(type);
});
