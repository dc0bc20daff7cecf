import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../../src-renderer');

/** Names of the classes of a style sheet. */
function classesOf(file: string): ReadonlySet<string> {
  const selectors = readFileSync(file, 'utf8')
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/\{[^{}]*\}/g, '{}');
  return new Set([...selectors.matchAll(/\.([a-zA-Z_][\w-]*)/g)].map(([, name]) => name ?? ''));
}

// The type of a style sheet accepts any class name, so a missing style would be noticed by users
// only.
test('every class that a screen uses is in its style sheet', () => {
  const missing: string[] = [];
  let named = 0;
  for (const file of globSync('**/*.{ts,tsx}', { cwd: root })) {
    const source = readFileSync(path.join(root, file), 'utf8');
    for (const [, sheet = '', from = ''] of source.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)) {
      const classes = classesOf(path.join(root, path.dirname(file), from));
      for (const [, name = ''] of source.matchAll(new RegExp(`\\b${sheet}\\['([^']+)'\\]`, 'g'))) {
        named += 1;
        if (!classes.has(name)) missing.push(`${file}: ${name}`);
      }
    }
  }
  expect(missing).toEqual([]);
  expect(named).toBeGreaterThan(500);
});
