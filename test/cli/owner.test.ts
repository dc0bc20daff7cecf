import { chown, mkdir, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { commandLine, type CommandLine } from './command-line.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const root = process.getuid?.() === 0;
const nobody = 65_534;
// A user id without a user.
const nameless = 54_321;
let cli: CommandLine;
beforeAll(async () => {
  cli = await commandLine();
  await cli.runHere(['user', 'create', 'alice', '--admin']);
});
afterAll(() => cli.end());

const opening: readonly (readonly string[])[] = [
  ['user', 'list'],
  ['user', 'create', 'bob'],
  ['token', 'list'],
  ['measurement', 'list'],
  ['app', 'list'],
  ['doctor', '--port', '0'],
  ['backup', '/nowhere/backup.zip'],
  ['restore', '/nowhere/backup.zip'],
  ['move', '/nowhere/data'],
  ['diagnostics', '/nowhere/diagnostics.zip'],
  ['serve', '--port', '0'],
];

// Only root can give a directory away; other users test with a directory of root's.
test.each(opening)('%s %s refuses the data directory of another user, and says how to run it', async (...args) => {
  const theirs = root ? cli.dataDir : '/usr/share';
  if (root) await chown(theirs, nobody, -1);
  const name = root ? 'nobody' : 'root';
  const before = await readdir(theirs);
  const { status, stdout, stderr } = await cli.runHere([...args, '--data', theirs]);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toBe(
    `benchport: ${theirs} belongs to the user ${name}, who could not read what another user leaves there. Run it as that user: sudo -u ${name} benchport COMMAND --data ${theirs}\n`,
  );
  expect(await readdir(theirs)).toEqual(before);
});

test.runIf(root)('a user without a name is identified by number, in a form that a shell accepts', async () => {
  const theirs = path.join(cli.dir, "alice's data");
  await mkdir(theirs);
  await chown(theirs, nameless, -1);
  expect((await cli.runHere(['user', 'list', '--data', theirs])).stderr).toContain(
    `sudo -u '#${nameless}' benchport COMMAND --data '${cli.dir}/alice'\\''s data'`,
  );
});

test('one’s own directory, and one that does not exist yet, are accepted', async () => {
  const mine = path.join(cli.dir, 'mine');
  expect((await cli.runHere(['user', 'create', 'alice', '--data', mine])).status).toBe(0);
  expect((await cli.runHere(['user', 'list', '--data', mine])).status).toBe(0);
  expect((await stat(mine)).uid).toBe(process.getuid?.());
});
