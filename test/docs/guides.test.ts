import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

/** Names of headings as pages are linked to: `#at-the-instrument`. */
function anchors(page: string): readonly string[] {
  return [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

test('links of the pages lead to files and headings that are there', async () => {
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

test('what the user’s guide calls by name stands on a screen', async () => {
  const names = new Set(
    [...(await readFile(path.join(root, 'docs/user-guide.md'), 'utf8')).matchAll(/\*\*([^*]+)\*\*/g)].map(
      ([, name = '']) => name,
    ),
  );
  expect(names.size).toBeGreaterThan(20);
  const folder = path.join(root, 'src-renderer');
  const files = (await readdir(folder, { recursive: true })).filter((name) => /\.tsx?$/.test(name));
  const screens = (await Promise.all(files.map(async (name) => readFile(path.join(folder, name), 'utf8')))).join('\n');
  // As the text of an element or between quotes.
  const isShown = (name: string): boolean =>
    screens
      .split(name)
      .some((before, index, all) => /[>\s'"`]$/.test(before) && /^(?:…|[<\s'"`])/.test(all[index + 1] ?? ''));
  expect([...names].filter((name) => !isShown(name))).toEqual([]);
});
