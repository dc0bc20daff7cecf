import { existsSync, globSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

/** Anchors of the headings of a page, as in `#at-the-instrument`. */
function anchors(page: string): readonly string[] {
  return [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

test('links of the pages lead to existing files and headings', async () => {
  const inside = async (folder: string) =>
    (await readdir(path.join(root, folder)))
      .filter((name) => name.endsWith('.md'))
      .map((name) => path.join(folder, name));
  const pages = [...(await inside('.')), ...(await inside('docs'))];
  expect(pages).toEqual(
    expect.arrayContaining(['README.md', 'docs/user-guide.md', 'docs/administrator-guide.md', 'docs/api-guide.md']),
  );
  const dead: string[] = [];
  for (const page of pages) {
    for (const [, target = ''] of (await readFile(path.join(root, page), 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [file = '', anchor] = target.split('#');
      const to = file === '' ? path.join(root, page) : path.resolve(root, path.dirname(page), file);
      if (!existsSync(to) || (anchor !== undefined && !anchors(await readFile(to, 'utf8')).includes(anchor)))
        dead.push(`${page}: ${target}`);
    }
  }
  expect(dead).toEqual([]);
});

const ours = (name: string): boolean => !/(?:^|\/)(?:node_modules|out|release|test-results)\//.test(name);
const isRoomGuide = (page: string): boolean => /^(?:ARCHITECTURE\.md|(?:src-|test|scripts).*README\.md)$/.test(page);

/**
 * Pages at the top, in `docs` and in the rooms, except the changelog, which uses older file names.
 */
function allPages(): readonly string[] {
  const patterns = ['*.md', 'docs/*.md', '{src-main,src-renderer,src-shared,test,scripts}/**/README.md'];
  const pages = globSync(patterns, { cwd: root }).filter(ours);
  return pages.filter((page) => page !== 'CHANGELOG.md').toSorted();
}

/**
 * Sources that a page names: paths from the top, and in backticks also file names with part of
 * their path.
 */
function namedSources(text: string): readonly string[] {
  const paths = text.matchAll(/\b(?:src-(?:main|preload|renderer|shared)|test|scripts)\/[\w./-]*\w/g);
  const files = text.matchAll(/`([\w./-]+\.(?:tsx?|mjs|css))`/g);
  return [...[...paths].map(([name]) => name), ...[...files].map(([, file = '']) => file)];
}

test('every source that the pages name exists', async () => {
  const sources = globSync('{src-main,src-preload,src-renderer,src-shared,test,scripts}/**', { cwd: root }).filter(
    ours,
  );
  const known = new Set([...sources, 'vitest.config.ts', 'playwright.config.ts'].flatMap(endings));
  const pages = allPages();
  const missing: string[] = [];
  let named = 0;
  for (const page of pages) {
    for (const name of namedSources(await readFile(path.join(root, page), 'utf8'))) {
      named += 1;
      if (!known.has(name)) missing.push(`${page}: ${name}`);
    }
  }
  expect(missing).toEqual([]);
  expect(pages).toEqual(expect.arrayContaining(['ARCHITECTURE.md', 'src-main/service/measurements/README.md']));
  expect(named).toBeGreaterThan(300);
});

test('finds what a page names of the sources', () => {
  const text = 'See `errors/ingest/ingest.ts`, `src-main/cli`, and `npm run unit -- test/service/http`.';
  expect(namedSources(text)).toEqual(['src-main/cli', 'test/service/http', 'errors/ingest/ingest.ts']);
  expect(endings('a/b/c.ts')).toEqual(['a/b/c.ts', 'b/c.ts', 'c.ts']);
});

/** A path, and its suffixes without the first folders. */
function endings(name: string): readonly string[] {
  const parts = name.split('/');
  return parts.map((_, first) => parts.slice(first).join('/'));
}

test('the prose of the rooms’ guides is at most 100 columns wide', async () => {
  const wide: string[] = [];
  for (const page of allPages().filter(isRoomGuide))
    for (const [index, line] of (await readFile(path.join(root, page), 'utf8')).split('\n').entries())
      if (line.length > 100 && !line.trimStart().startsWith('|')) wide.push(`${page}:${index + 1}`);
  expect(wide).toEqual([]);
});

test.each([
  ['docs/user-guide.md', 40],
  ['docs/capture.md', 12],
])('%s quotes only texts that a screen has', async (page, atLeast) => {
  const text = await readFile(path.join(root, page), 'utf8');
  const names = new Set([...text.matchAll(/\*\*([^*]+)\*\*/g)].map(([, name = '']) => name.replaceAll('\n', ' ')));
  expect(names.size).toBeGreaterThan(atLeast);
  const folder = path.join(root, 'src-renderer');
  const files = (await readdir(folder, { recursive: true })).filter((name) => /\.tsx?$/.test(name));
  const screens = (await Promise.all(files.map(async (name) => readFile(path.join(folder, name), 'utf8')))).join('\n');
  // As the text of an element or in quotes.
  const isShown = (name: string): boolean =>
    screens
      .split(name)
      .some((before, index, all) => /[>\s'"`]$/.test(before) && /^(?:…|[<\s'"`])/.test(all[index + 1] ?? ''));
  expect([...names].filter((name) => !isShown(name))).toEqual([]);
});
