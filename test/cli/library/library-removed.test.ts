import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandLine, type CommandLine, type Outcome } from '../command-line.ts';
import { libraryFile } from '../library-file.ts';

let cli: CommandLine;
const scan = Buffer.alloc(300_000, 7);

beforeAll(async () => {
  cli = await commandLine();
  await run(['user', 'create', 'alice', '--password-stdin'], 'seven lamps over 9 benches\n');
  for (const id of ['stays', 'goes']) {
    const folder = path.join(cli.dir, id);
    await mkdir(folder);
    await writeFile(path.join(folder, 'note.txt'), `note of ${id}`);
    if (id === 'goes') await writeFile(path.join(folder, 'scan.bin'), scan);
    const registered = await run(['measurement', 'register', folder, '--id', id, '--owner', 'alice', '--copy']);
    expect(registered.status, registered.stderr).toBe(0);
  }
});
afterAll(async () => cli.end());

async function run(args: readonly string[], input = ''): Promise<Outcome> {
  return cli.runHere(args, input);
}

test('a check of the library reads removed measurements too, and changes nothing of them', async () => {
  expect(JSON.parse((await run(['library', 'check', '--json'])).stdout)).toEqual({
    checked: 2,
    wrong: [],
    removed: { checked: 0, wrong: [], left_out: 0 },
  });
  expect((await run(['measurement', 'remove', 'goes'])).status).toBe(0);
  expect(await run(['library', 'check'])).toEqual({
    status: 0,
    stdout: '1 measurement verified; all files are unchanged. 1 of 1 removed measurement is unchanged\n',
    stderr: '',
  });
  const file = await libraryFile(cli, scan);
  await chmod(file, 0o644);
  await writeFile(file, 'rotten');
  const found = await run(['library', 'check', '--json']);
  expect(found.status).toBe(1);
  expect(found.stderr).toMatch(/goes \(removed, number \d+\): scan\.bin/);
  expect(JSON.parse(found.stdout)).toMatchObject({
    checked: 1,
    wrong: [],
    removed: { checked: 1, wrong: [{ id: 'goes', files: ['scan.bin'] }], left_out: 0 },
  });
  await writeFile(file, scan);
  expect((await run(['measurement', 'restore', 'goes'])).status).toBe(0);
  expect(JSON.parse((await run(['library', 'check', '--json'])).stdout)).toMatchObject({ checked: 2, wrong: [] });
});
