import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { captureChoices } from '../../src-main/service/capture/naming/presets.ts';
import { captureStates } from '../../src-shared/states/capture-states.ts';
import { presetTable, stateTable } from './capture-tables.ts';
import { guideShell } from './guide-shell.ts';
import { readExamples } from './shell-examples.ts';

vi.setConfig({ testTimeout: 120_000 });

const read = async (page: string): Promise<string> =>
  (await readFile(path.resolve(import.meta.dirname, '../..', page), 'utf8')).replaceAll(/^ +\|/gm, '|');
const guide = 'docs/capture.md';

describe('the tables of watched folders', () => {
  test.each<[string, string, () => string]>([
    [guide, '| state ', stateTable],
    ['src-main/service/capture/README.md', '| state ', stateTable],
    [guide, '| preset ', presetTable],
  ])('of %s that begins with "%s" is what the code does', async (page, _begin, table) => {
    expect(await read(page), `${page} needs this table in the place of the one that it has:\n\n${table()}\n`).toContain(
      table(),
    );
  });

  test('the guide says what each state means, in the order of the code, and has all layouts', async () => {
    const text = await read(guide);
    const [, meanings = ''] = /^\| state +\| means +\|\n\|.*\n((?:\|.*\n)+)/m.exec(text) ?? [];
    const states = meanings
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[1]);
    expect(states).toEqual([...captureStates]);
    for (const { layout } of captureChoices.layouts) expect(text).toContain(`- \`${layout}\`\n`);
  });
});

test('each example of docs/capture.md works and answers what the page says', async () => {
  const examples = readExamples(await readFile(path.resolve(import.meta.dirname, '../..', guide), 'utf8'));
  expect(examples.length).toBeGreaterThan(5);
  expect(examples.flatMap(({ notRun }) => notRun ?? [])).toEqual([]);
  const shell = await guideShell();
  try {
    await shell.cli.ok(['user', 'create', 'alice', '--admin']);
    expect(await shell.runPage('capture', examples)).toEqual([]);
  } finally {
    await shell.cli.end();
  }
});
