import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keyDigest, keySetting } from '../../src-main/service/facility-check.ts';
import { secretBox } from '../../src-main/service/secrets/secret-box.ts';
import { secretKeyOf } from '../../src-main/service/secrets/secret-key.ts';
import { emptyDatabase, queryPostgres } from '../service/database/moving/move-fixture.ts';
import { execute } from '../service/postgres/database.ts';
import { commandLine, type CommandLine } from './command-line.ts';

let cli: CommandLine;
let database: Awaited<ReturnType<typeof emptyDatabase>>;
/** With a password, which the server does not ask for. */
let url: string;
let shown: string;

beforeEach(async () => {
  cli = await commandLine();
  database = await emptyDatabase();
  shown = database.url;
  url = Object.assign(new URL(shown), { password: 'hidden' }).href;
});
afterEach(async () => {
  await cli.end();
  await database.remove();
});

const benchport = async (args: readonly string[], environment: NodeJS.ProcessEnv = {}) => {
  const outcome = await cli.runHere(args, '', environment);
  expect(outcome.stdout + outcome.stderr).not.toContain('hidden');
  return outcome;
};

test('migrate makes the tables, and says when they are there', async () => {
  const file = path.join(cli.dir, 'address');
  await writeFile(file, `${url}\n`);
  expect(await benchport(['database', 'migrate'], { BENCHPORT_DATABASE_URL_FILE: file })).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^The tables were created \(version \d+\)\.\n$/) as string,
    stderr: '',
  });
  const again = await benchport(['database', 'migrate'], { BENCHPORT_DATABASE_URL: url });
  expect(again.stdout).toMatch(/^The tables are up to date \(version \d+\)\.\n$/);
  const json = await benchport(['database', 'migrate', '--json'], { BENCHPORT_DATABASE_URL: url });
  const { before, after } = JSON.parse(json.stdout) as { before: number; after: number };
  expect(before).toBe(after);

  await execute(url, 'UPDATE schema_version SET version = 99999');
  expect(await benchport(['database', 'migrate'], { BENCHPORT_DATABASE_URL: url })).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringContaining('was written by a newer Benchport (database version 99999') as string,
  });
});

test('migrate says what is wrong with the address', async () => {
  const refusal = async (environment: NodeJS.ProcessEnv) => {
    const { status, stderr } = await benchport(['database', 'migrate'], environment);
    return [status, stderr];
  };
  expect(await refusal({})).toEqual([2, expect.stringContaining('Name the PostgreSQL with BENCHPORT_DATABASE_URL')]);
  expect(await refusal({ BENCHPORT_DATABASE_URL: 'postgres://user:hidden@127.0.0.1:1/x' })).toEqual([
    1,
    expect.stringMatching(
      /^benchport: The database postgres:\/\/user@127\.0\.0\.1:1\/x cannot be used: .*Check that the server runs/,
    ),
  ]);
});

test('moves there and back', async () => {
  await cli.runHere(['user', 'create', 'alice', '--admin']);
  await writeFile(path.join(cli.dataDir, 'secret.key'), randomBytes(32), { mode: 0o600 });
  const rehearsal = await benchport(['database', 'migrate-to', url, '--dry-run']);
  expect(rehearsal.status).toBe(0);
  expect(rehearsal.stdout).toMatch(/^table +rows +size\n/);
  expect(rehearsal.stdout).toMatch(/^users +1 +\d+ B$/m);
  expect(rehearsal.stderr).toContain('Nothing was changed.');

  const there = await benchport(['database', 'migrate-to', url]);
  expect([there.status, there.stderr]).toEqual([
    0,
    expect.stringMatching(/^looking \.\.\.\ncopying \.\.\.\ncomparing \.\.\.\n/),
  ]);
  expect(there.stdout).toMatch(/^users +1 +[\da-f]{64}$/m);
  expect(there.stdout).toContain(`${shown}  has all `);
  expect(there.stderr).toContain(`BENCHPORT_SECRET_KEY_FILE must name ${path.join(cli.dataDir, 'secret.key')}`);
  expect(there.stderr).toContain(`BENCHPORT_LIBRARY_DIR must name ${path.join(cli.dataDir, 'library')}`);
  expect(await readFile(path.join(cli.dataDir, 'database-move.json'), 'utf8')).not.toContain('hidden');

  // The key goes along: a replica with another one is refused.
  const secrets = secretBox(secretKeyOf({ dataDir: cli.dataDir }));
  expect(await queryPostgres(url, `SELECT value FROM settings WHERE key = '${keySetting}'`)).toEqual([
    { value: keyDigest(secrets) },
  ]);

  // Commands would write where nobody reads it any more.
  const late = await cli.run(['user', 'create', 'bob']);
  expect(late).toEqual({
    status: 1,
    stdout: '',
    stderr: `benchport: The data of ${cli.dataDir} was moved to ${shown}, which is used instead. To use the old data again, run "benchport database migrate-to --abandon" with the same target.\n`,
  });
  const backup = await benchport(['backup', path.join(cli.dir, 'backup.zip')]);
  expect([backup.status, backup.stderr]).toEqual([1, late.stderr]);
  await expect(cli.serve()).rejects.toThrow(/was moved to/);

  const folder = path.join(cli.dir, 'back');
  const back = await benchport(['database', 'migrate-to', `sqlite:${folder}`, '--json'], {
    BENCHPORT_DATABASE_URL: url,
  });
  expect(back.status).toBe(0);
  expect(JSON.parse(back.stdout)).toMatchObject({
    from: shown,
    to: `sqlite:${folder}`,
    tables: expect.arrayContaining([{ table: 'users', rows: 1, bytes: expect.any(Number) as number }]) as unknown,
    left_behind: [],
    problems: [],
    digests: { users: expect.stringMatching(/^[\da-f]{64}$/) as string },
  });
  expect(await cli.ok(['user', 'list', '--data', folder])).toContain('alice');
});

test('gives up, and uses the source again', async () => {
  await cli.runHere(['user', 'create', 'alice', '--admin']);
  const early = await benchport(['database', 'migrate-to', url, '--abandon']);
  expect([early.status, early.stderr]).toEqual([1, expect.stringContaining('has begun')]);
  expect((await benchport(['database', 'migrate-to', url])).status).toBe(0);
  expect(await benchport(['database', 'migrate-to', url, '--abandon'])).toEqual({
    status: 0,
    stdout: `sqlite:${cli.dataDir}  is used again.\n`,
    stderr: `${shown} keeps the data that it has; what was written there since the move is not in sqlite:${cli.dataDir}.\n`,
  });
  expect((await benchport(['user', 'create', 'bob'])).status).toBe(0);
});

test('refuses targets and sources that are none', async () => {
  await mkdir(cli.dataDir);
  const refused = async (args: readonly string[], environment: NodeJS.ProcessEnv = {}) => {
    const { status, stderr } = await benchport(['database', 'migrate-to', ...args], environment);
    return [status, stderr];
  };
  const configured = { BENCHPORT_DATABASE_URL: url };
  expect(await refused([url])).toEqual([1, expect.stringContaining('There is no Benchport data in')]);
  for (const wrong of ['mysql://h/d', 'sqlite:', 'sqlite://folder', '/srv/data', 'postgres://host'])
    expect(await refused([wrong])).toEqual([
      2,
      'benchport: Name the target as postgres://USER@HOST/DATABASE or sqlite:DIR.\n',
    ]);
  expect(await refused(['sqlite:x'])).toEqual([
    2,
    expect.stringContaining('Name the PostgreSQL that is moved with BENCHPORT_DATABASE_URL'),
  ]);
  expect(await refused(['sqlite:x', '--data', 'y'], configured)).toEqual([
    2,
    expect.stringContaining('leave --data out'),
  ]);
  expect(await refused([url], configured)).toEqual([
    2,
    expect.stringContaining('which is the source then. To move a data directory there'),
  ]);
  expect(await refused([`${url}2`], configured)).toEqual([2, expect.stringContaining('use pg_dump and pg_restore')]);
  expect(await refused([url, '--dry-run', '--abandon'])).toEqual([
    2,
    expect.stringContaining('either --dry-run or --abandon'),
  ]);
});
