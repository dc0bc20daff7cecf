import Database from 'better-sqlite3';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { CaptureRule } from '../../src-main/service/contract/capture/rules.ts';
import { onCaptureScene, writeRun, type CaptureScene } from './capture-scene.ts';
import { type CommandLine } from './command-line.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let cli: CommandLine;
let scene: CaptureScene;
onCaptureScene((started) => {
  ({ cli, scene } = started);
});

describe('add', () => {
  let folders = 0;
  const add = async (name: string, ...args: readonly string[]) =>
    scene.json<CaptureRule>('add', name, '--folder', await scene.watched(`add-${(folders += 1)}`), ...args);

  test('says what happens, and that the running service watches', async () => {
    const folder = await scene.watched('said');
    const args = ['--complete', 'marker:done.txt', '--complete', 'marker:*.xml', '--settle', '0.5'];
    expect(await scene.capture('add', 'said', '--folder', folder, ...args)).toEqual({
      status: 0,
      stdout: `said: each new run in ${folder} is registered after done.txt and *.xml, then 0.5 minutes without a change; the running service watches it.\n`,
      stderr: '',
    });
  });

  test('takes any instrument, the owner and a relative folder when nothing else is said', async () => {
    const folder = await scene.watched('plain');
    const rule = await scene.json<CaptureRule>('add', 'plain', '--folder', path.relative(process.cwd(), folder));
    const run = { unit: 'folder', layout: '{name}', pattern: null, sign: 'quiet', minutes: 10, existing: false };
    const measurement = { id_template: '{name}', title_template: '{name}', owner: 'alice', project: null, readers: [] };
    const kept = { copy: false, push_to: null, push_server: null, push_project: null };
    const counts = { all: 0, needs_you: 0, waiting: 0, done: 0, skipped: 0 };
    expect(rule).toMatchObject({ name: 'plain', folder, ...run, ...measurement, ...kept, state: 'starting', counts });
  });

  test.each([
    ['one-marker', ['--complete', 'marker:done.txt'], { sign: 'marker', markers: ['done.txt'], minutes: 0 }],
    ['moved', ['--complete', 'moved-in'], { sign: 'moved-in', markers: [], minutes: 0 }],
    ['moved-late', ['--complete', 'moved-in', '--settle', '2'], { sign: 'moved-in', minutes: 2 }],
    ['silent', ['--complete', 'quiet:1.5'], { sign: 'quiet', markers: [], minutes: 1.5 }],
    ['illumina', ['--preset', 'illumina'], { sign: 'marker', markers: ['CopyComplete.txt'], minutes: 0 }],
    ['miseq', ['--preset', 'illumina-miseq', '--settle', '7'], { minutes: 7 }],
    ['miseq-other', ['--preset', 'illumina-miseq', '--complete', 'marker:a'], { markers: ['a'], minutes: 5 }],
    ['nanopore', ['--preset', 'nanopore', '--complete', 'quiet:3'], { sign: 'quiet', markers: [], minutes: 3 }],
    ['bruker', ['--preset', 'bruker', '--unfinished', '*.lock'], { layout: '{name}.d', unfinished: ['*.lock'] }],
    ['thermo', ['--preset', 'thermo'], { unit: 'file', pattern: '*.raw', minutes: 5 }],
    ['thermo-folder', ['--preset', 'thermo', '--run', 'folder'], { unit: 'folder', pattern: null }],
    ['files', ['--run', 'file'], { unit: 'file', pattern: '*' }],
    ['groups', ['--run', 'files', '--pattern', '{name}.wiff*'], { unit: 'files', pattern: '{name}.wiff*' }],
    ['layout', ['--layout', '{user}/{name}', '--owner', '{user}'], { layout: '{user}/{name}', owner: '{user}' }],
    ['readers', ['--reader', 'bob', '--reader', 'alice', '--everyone'], { readers: ['bob', 'alice', '*'] }],
    ['ignored', ['--ignore', '*.bak', '--ignore', 'cache/'], { ignore: ['*.bak', 'cache/'] }],
    ['kept', ['--copy', '--existing', '--title', 'Run {name}'], { copy: true, existing: true }],
    [
      'fields',
      ['--field', 'instrument=Run*.xml:Instrument', '--id', '{instrument}-{name}'],
      { fields: [{ name: 'instrument', from: 'Run*.xml', key: 'Instrument' }], id_template: '{instrument}-{name}' },
    ],
  ])('%s', async (name, args, expected) => {
    expect(await add(name, ...args)).toMatchObject(expected);
  });

  test('pushes to a server of the list, by its name and by its base URL', async () => {
    const database = new Database(path.join(cli.dataDir, 'benchport.db'));
    const insert = database.prepare('INSERT INTO remote_servers (name, base_url, created_at) VALUES (?, ?, 0)');
    insert.run('facility:8443', 'https://facility.example:8443');
    for (const place of [1, 2]) insert.run('twice', `https://twice-${place}.example`);
    database.close();
    const expected = { push_to: 1, push_server: 'facility:8443' };
    expect(await add('by-name', '--push', 'facility:8443')).toMatchObject(expected);
    const byUrl = await add('by-url', '--push', 'https://facility.example:8443/', '--push-project', 'lab/qmr');
    expect(byUrl).toMatchObject({ ...expected, push_project: 'lab/qmr' });
    const folder = await scene.watched('pushed');
    const refused = async (...args: readonly string[]) => scene.capture('add', 'pushed', '--folder', folder, ...args);
    expect(await refused('--push', 'twice')).toMatchObject({ status: 2, stderr: expect.stringContaining('Several') });
    expect(await refused('--push', 'elsewhere:80')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('not in the list of servers'),
    });
    expect(await refused('--push', 'https://user@elsewhere')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('cannot be used'),
    });
  });
});

describe('a rule that cannot be has one line on standard error and no effect', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await scene.watched('refused');
    await scene.capture('add', 'taken', '--folder', await scene.watched('taken'));
    await writeRun(path.join(cli.dir, 'a-file'));
  });

  async function refused(status: number, words: string, name: string, ...args: readonly string[]): Promise<void> {
    const before = await scene.json<readonly CaptureRule[]>('list');
    const outcome = await scene.capture('add', name, ...args);
    expect(outcome).toMatchObject({ status, stdout: '', stderr: expect.stringContaining(words) });
    expect(outcome.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(await scene.json<readonly CaptureRule[]>('list')).toEqual(before);
  }

  test.each([
    [['--preset', 'hplc'], 'Allowed choices are generic, illumina'],
    [['--run', 'disk'], 'Allowed choices are folder, file, files'],
    [['--complete', 'marker:a', '--complete', 'quiet:1'], 'one sign'],
    [['--complete', 'moved-in', '--complete', 'moved-in'], 'one sign'],
    [['--complete', 'marker:'], 'marker:GLOB, moved-in or quiet:MINUTES'],
    [['--complete', 'done'], 'marker:GLOB, moved-in or quiet:MINUTES'],
    [['--complete', 'quiet:soon'], 'number of minutes'],
    [['--complete', 'quiet:10081'], 'number of minutes'],
    [['--settle', '-1'], 'number of minutes'],
    [['--settle', '3'], '--settle is the time after markers'],
    [['--run', 'files'], '--run files needs --pattern'],
    [['--field', 'Instrument=a.xml:b'], 'NAME=FILE:KEY'],
    [['--field', 'instrument=a.xml'], 'NAME=FILE:KEY'],
    [['--push-project', 'lab'], '--push-project needs --push'],
    [['--layout', ''], '--layout cannot be used'],
    [['--id', 'x'.repeat(301)], '--id cannot be used'],
  ])('bad usage: %j', async (args, words) => refused(2, words, 'new', '--folder', folder, ...args));

  test.each([
    [['--complete', 'quiet:0'], 'how many minutes'],
    [['--pattern', '*.raw'], 'runs that are files'],
    [['--run', 'files', '--pattern', '*.raw'], 'needs {name}'],
    [['--owner', 'carol'], 'There is no user carol'],
    [['--reader', 'carol'], 'There is no user carol'],
    [['--project', 'lab/none'], 'There is no project lab/none'],
    [['--id', '{name}-{instrument}'], 'There is no field {instrument}'],
    [['--id', 'run'], 'The id needs a field'],
    [['--layout', '{user}'], 'needs {name}'],
  ])('no such rule: %j', async (args, words) => refused(1, words, 'new', '--folder', folder, ...args));

  test('names and folders', async () => {
    await refused(2, "required option '--folder <dir>' not specified", 'new');
    await refused(2, 'A name has up to 63 letters', 'new/rule', '--folder', folder);
    await refused(1, 'cannot be watched', 'new', '--folder', path.join(cli.dir, 'nowhere'));
    await refused(1, 'is not a folder', 'new', '--folder', path.join(cli.dir, 'a-file'));
    await refused(1, 'is inside the other', 'new', '--folder', path.join(cli.dataDir, 'logs', '..'));
    await refused(1, 'is inside the other', 'new', '--folder', cli.dir);
    await symlink(cli.dataDir, path.join(cli.dir, 'link'));
    await refused(1, 'is inside the other', 'new', '--folder', path.join(cli.dir, 'link'));
    await refused(1, 'There is already a rule Taken', 'Taken', '--folder', folder);
    await refused(1, 'The rule taken takes the same runs', 'other', '--folder', path.join(cli.dir, 'taken'));
  });

  test('a facility watches no folders, and no account can own none', async () => {
    const environment = { BENCHPORT_DATABASE_URL: 'postgres://nowhere.invalid/benchport' };
    for (const args of [['list'], ['add', 'new', '--folder', folder]])
      expect(await cli.runHere(['capture', ...args], '', environment)).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('push to the facility'),
      });
    const other = path.join(cli.dir, 'other');
    await cli.runHere(['user', 'create', 'carol', '--data', other]);
    const { status, stderr } = await scene.capture('add', 'new', '--folder', folder, '--data', other);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('no account to own it') });
  });
});
