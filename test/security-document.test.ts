import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

// The letter that the numbers of a page begin with, and how many points its checklist has.
const pages = [
  ['docs/security-oauth.md', 'S', 112],
  ['docs/security-electron.md', 'E', 24],
] as const;

interface Point {
  readonly number: string;
  readonly proofs: readonly { readonly file: string; readonly name: string }[];
  /** Remarks beside the tests, or in place of them. */
  readonly words: string;
}

/** Reads the table of points: `S01`, what holds, and the tests or the reason why there are none. */
function readPoints(document: string, letter: string): readonly Point[] {
  return [...document.matchAll(new RegExp(`^\\| (${letter}\\d{2,3}) +\\|[^|\\n]*\\|(.*)\\|$`, 'gm'))].map(
    ([, number = '', cell = '']) => {
      const parts = cell.split('<br>').map((part) => part.trim());
      const proofs = parts.flatMap((part) => {
        const [, file = '', name = ''] = /^`(test\/[^`]+)` › (.+)$/.exec(part) ?? [];
        return file === '' ? [] : [{ file, name: name.replaceAll('&#124;', '|') }];
      });
      return { number, proofs, words: parts.filter((part) => !part.startsWith('`test/')).join(' ') };
    },
  );
}

test.each(pages)(
  '%s names for every point a test that is there, or says why there is none',
  async (page, letter, howMany) => {
    const points = readPoints(await readFile(path.join(root, page), 'utf8'), letter);
    expect(points.map(({ number }) => number)).toEqual(
      Array.from({ length: howMany }, (_, index) => `${letter}${String(index + 1).padStart(2, '0')}`),
    );
    const problems: string[] = [];
    for (const { number, proofs, words } of points) {
      if (proofs.length === 0 && words.length < 20) problems.push(`${number} has neither a test nor a reason`);
      for (const { file, name } of proofs) {
        const source = await readFile(path.join(root, file), 'utf8').catch(() => '');
        if (!hasTest(source, name)) problems.push(`${number}: ${file} has no test called "${name}"`);
      }
      if (proofs.length > 0 && !proofs.some(({ name }) => name.split(/[ :,]/).includes(number)))
        problems.push(`${number}: no test carries the number`);
    }
    expect(problems).toEqual([]);
  },
);

/** Whether a name stands in the source between quotes, as the name of a test, of a group, or of a row of a table of tests. */
function hasTest(source: string, name: string): boolean {
  return ["'", '"', '`'].some((quote) => source.includes(`${quote}${name}${quote}`));
}
