import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readRendererFile, rendererFile } from '../../src-main/shell/page/renderer-files.ts';

const folder = '/opt/benchport/renderer';

it.each([
  ['/index.html', 'index.html', 'text/html; charset=utf-8'],
  ['/assets/app-1.js', 'assets/app-1.js', 'text/javascript; charset=utf-8'],
  ['/assets/a%20b.svg', 'assets/a b.svg', 'image/svg+xml'],
  ['/assets/../index.html', 'index.html', 'text/html; charset=utf-8'],
])('E03 %s is the file %s', (pathname, file, contentType) => {
  expect(rendererFile(folder, pathname)).toEqual({ path: path.join(folder, file), contentType });
});

it.each([
  '/../index.html',
  '/%2e%2e/index.html',
  '/..%2findex.html',
  '/assets/%2e%2e/%2e%2e/index.html',
  '/..%5cindex.html',
  '/..\\index.html',
  '/%00index.html',
  '/index.html%00',
  '/%zz.html',
  '/../renderer-other/index.html',
  '/index',
  '/passwd',
  '/x.exe',
  '/',
])('E03 %s is no file', (pathname) => {
  expect(rendererFile(folder, pathname)).toBeUndefined();
});

it('E03 E19 no path leads outside the folder', () => {
  const piece = fc.constantFrom('..', '.', '%2e%2e', '%2E.', '%2f', '%5c', '\\', 'a', '%252e%252e', '%00', '', 'é');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const found = rendererFile(folder, `/${pieces.join('/')}/x.js`);
      if (found) expect(path.resolve(found.path).startsWith(`${folder}/`)).toBe(true);
    }),
  );
});

it('a missing file is undefined', async () => {
  expect(
    await readRendererFile({ path: path.join(import.meta.dirname, 'no-such.js'), contentType: 'text/javascript' }),
  ).toBeUndefined();
});
