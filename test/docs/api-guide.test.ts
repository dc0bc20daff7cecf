import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { commandLine, type CommandLine } from '../cli/command-line.ts';
import { programEntry } from '../service/program-entry.ts';
import { readExamples, runExamples, type Example } from './shell-examples.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const root = path.resolve(import.meta.dirname, '../..');
const statedUrl = 'http://127.0.0.1:7420';
let cli: CommandLine;
let url: string;
let env: Record<string, string>;

beforeAll(async () => {
  cli = await commandLine();
  const bin = path.join(cli.dir, 'bin');
  await mkdir(bin);
  await writeFile(path.join(bin, 'benchport'), `#!/bin/sh\nexec '${process.execPath}' '${programEntry('command line')}' "$@"\n`);
  await chmod(path.join(bin, 'benchport'), 0o755);
  env = { PATH: `${bin}:${process.env['PATH']}`, BENCHPORT_DATA: cli.dataDir, HOME: cli.dir };
  url = (await cli.serve()).url;
});
afterAll(() => cli.end());

/** Runs the examples of a page in a folder of its own; the address that the page states is the one of this service. */
async function runPage(name: string, examples: readonly Example[], prepare: (folder: string) => Promise<void>): Promise<readonly string[]> {
  const folder = path.join(cli.dir, name);
  await mkdir(folder);
  await prepare(folder);
  const here = examples.map((example) => ({ ...example, script: example.script.replaceAll(statedUrl, url) }));
  return runExamples(here, folder, env);
}

test('each example of docs/api-guide.md works and answers what the page says', async () => {
  const examples = readExamples(await readFile(path.join(root, 'docs/api-guide.md'), 'utf8'));
  expect(examples.length).toBeGreaterThan(30);
  // One that cannot run says why, and this list grows with a reason only.
  expect(examples.flatMap(({ notRun }) => notRun ?? [])).toEqual(['a person has to sign in and to allow it in a browser']);
  const sample = path.join(root, 'assets/sample-measurement');
  expect(await runPage('guide', examples, (folder) => cp(sample, path.join(folder, 'sample-measurement'), { recursive: true }))).toEqual([]);
});

test("the tour of the README works with the sample and a token of 'read_measurement'", async () => {
  const [, tour = ''] = /\n## Five minutes with curl\n(.*?)\n## /s.exec(await readFile(path.join(root, 'README.md'), 'utf8')) ?? [];
  const examples = readExamples(tour);
  expect(examples).toHaveLength(4);
  const token = await cli.ok(['token', 'create', '--user', 'alice', '--name', 'tour', '--scopes', 'read_measurement']);
  expect(await runPage('tour', examples, (folder) => writeFile(path.join(folder, 'token.txt'), `${token}\n`))).toEqual([]);
});
