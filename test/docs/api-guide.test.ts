import { cp, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { commandLine } from '../cli/command-line.ts';
import { examplesFor, guideShell, type GuideShell } from './guide-shell.ts';
import { readExamples, runExamples, type Example } from './shell-examples.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const root = path.resolve(import.meta.dirname, '../..');
let shell: GuideShell;

beforeAll(async () => {
  shell = await guideShell();
});
afterAll(() => shell.cli.end());

test('each example of docs/api-guide.md works and answers what the page says', async () => {
  const examples = readExamples(await readFile(path.join(root, 'docs/api-guide.md'), 'utf8'));
  expect(examples.length).toBeGreaterThan(30);
  // Examples that are not run, each with its reason on the page.
  expect(examples.flatMap(({ notRun }) => notRun ?? [])).toEqual([
    'a person has to sign in and to allow it in a browser',
  ]);
  const sample = path.join(root, 'assets/sample-measurement');
  expect(
    await shell.runPage('guide', examples, (folder) =>
      cp(sample, path.join(folder, 'sample-measurement'), { recursive: true }),
    ),
  ).toEqual([]);
});

/** The shell examples of one section of the README. */
async function readmeSection(heading: string): Promise<readonly Example[]> {
  const readme = await readFile(path.join(root, 'README.md'), 'utf8');
  return readExamples(readme.split('\n## ').find((section) => section.startsWith(`${heading}\n`)) ?? '');
}

test('without a display, the README leads from the installation to a verified download', async () => {
  const [tour, alone] = [await readmeSection('Five minutes with curl'), await readmeSection('Without a window')];
  expect([tour.length, alone.length]).toEqual([4, 2]);
  const [account, download] = alone;
  const fresh = await commandLine();
  try {
    const service = await fresh.serve();
    const folder = path.join(fresh.dir, 'checkout');
    await cp(path.join(root, 'assets/sample-measurement'), path.join(folder, 'assets/sample-measurement'), {
      recursive: true,
    });
    const examples = [account, ...tour, download].flatMap((one) => one ?? []);
    const here = examplesFor(service.url, examples);
    expect(await runExamples(here, folder, { ...shell.env, BENCHPORT_DATA: fresh.dataDir })).toEqual([]);
    expect(await readdir(folder)).toEqual(expect.arrayContaining(['README.txt', 'sample.zip', 'sample']));
    for (const secret of ['password.txt', 'token.txt'])
      expect((await stat(path.join(folder, secret))).mode & 0o077).toBe(0);
  } finally {
    await fresh.end();
  }
});
