import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Inspection } from '../../../../src-main/service/contract/jobs.ts';
import { asWindow } from '../../as-window.ts';
import { makeFiles, register, startWithFolder } from './support.ts';
import { useWorld } from '../../use-service.ts';

const run = promisify(execFile);
const service = useWorld(startWithFolder);
let number = 0;

async function folder(): Promise<string> {
  number += 1;
  const made = path.join(service.files, `folder-${number}`);
  await mkdir(made);
  return made;
}

async function inspected(target: string): Promise<Inspection> {
  const { status, body } = await asWindow(service, 'POST', '/api/v4/local/inspect', { path: target });
  expect(status).toBe(200);
  return body as Inspection;
}

// The content of a folder, and the finding about it.
const refused: readonly (readonly [string, (folder: string) => Promise<unknown>, string])[] = [
  [
    'a link to a file outside',
    (at) => symlink('/etc/passwd', path.join(at, 'link.txt')),
    'link.txt: it is a symbolic link',
  ],
  ['a link to a folder', (at) => symlink('/etc', path.join(at, 'etc')), 'etc: it is a symbolic link'],
  [
    'a link that leads nowhere',
    (at) => symlink('nowhere', path.join(at, 'dangling')),
    'dangling: it is a symbolic link',
  ],
  ['a link to itself', (at) => symlink('loop', path.join(at, 'loop')), 'loop: it is a symbolic link'],
  ['a named pipe', (at) => run('mkfifo', [path.join(at, 'pipe')]), 'pipe: it is a named pipe, not a file'],
  [
    'a socket',
    (at) =>
      new Promise((done) =>
        net
          .createServer()
          .unref()
          .listen(path.join(at, 's'), () => done(null)),
      ),
    's: it is a socket, not a file',
  ],
  ['a control character', (at) => makeFiles(at, { 'a\u0007b': 'x' }), 'a\\u0007b: the name holds a control character'],
  ['a line break', (at) => makeFiles(at, { 'a\nb': 'x' }), 'a\\u000ab: the name holds a control character'],
  ['a backslash', (at) => makeFiles(at, { 'a\\b': 'x' }), 'a\\b: the name holds a backslash'],
  [
    'a name that is no UTF-8',
    (at) => writeFile(Buffer.concat([Buffer.from(`${at}/a`), Buffer.from([0xff])]), 'x'),
    'a\ufffd: the name is not valid UTF-8',
  ],
  [
    'names that differ by case',
    (at) => makeFiles(at, { 'Run.txt': 'x', 'run.TXT': 'y' }),
    'run.TXT: it differs from Run.txt only by case or Unicode form',
  ],
  [
    'names that differ by sharp s',
    (at) => makeFiles(at, { Maß: 'x', MASS: 'y' }),
    'Maß: it differs from MASS only by case',
  ],
  [
    'the same name in two Unicode forms',
    (at) => makeFiles(at, { 'u\u0308': 'x', '\u00fc': 'y' }),
    '\u00fc: it is there twice',
  ],
  [
    'a file named like a folder',
    (at) => makeFiles(at, { 'data/x': 'x', DATA: 'y' }),
    'DATA: it is the name of a file and of a folder',
  ],
];

test.each(refused)('%s is refused, with its name, by inspection and by registration', async (_what, make, message) => {
  const at = await folder();
  await makeFiles(at, { 'good.txt': 'good' });
  await make(at);
  expect((await inspected(at)).refusals.join('\n')).toContain(message);
  const job = await register(service, { path: at });
  expect(job).toMatchObject({ state: 'failed', message: expect.stringContaining(message) as string });
  expect(await service.services.measurements.byId(job.measurement_id)).toBeNull();
});

test('files that trouble other systems are a warning and no refusal', async () => {
  const at = await folder();
  const deep = `${'d'.repeat(200)}/${'e'.repeat(80)}`;
  await makeFiles(at, {
    'a?.txt': 'x',
    'dot.': 'x',
    'blank ': 'x',
    'aux.txt': 'x',
    COM1: 'x',
    '.hidden': 'x',
    'empty.dat': '',
    [deep]: 'x',
    'e\u202egpj.exe': 'x',
  });
  await mkdir(path.join(at, 'nothing'));
  await writeFile(path.join(at, 'fresh.txt'), 'just now');
  const { warnings, refusals, file_count: count } = await inspected(at);
  expect(refusals).toEqual([]);
  expect(count).toBe(10);
  for (const warning of [
    'a?.txt: Windows cannot hold a name with ? in it',
    'dot.: Windows drops the dot at the end of a name',
    'blank : Windows drops the blank at the end of a name',
    'aux.txt: Windows reserves the name aux for a device',
    'COM1: Windows reserves the name COM1 for a device',
    '.hidden: it is hidden on macOS and Linux',
    'empty.dat: it is empty',
    `${deep}: the path is longer than 260 characters, which many Windows programs cannot open`,
    'e\\u202egpj.exe: the name holds invisible characters or reverses its direction',
    'nothing/: the folder is empty and is not registered',
    'fresh.txt: it was changed a moment ago and may still be written',
  ]) {
    expect(warnings).toContain(warning);
  }
});

test('an empty folder is registered as an empty measurement, with a warning before', async () => {
  const at = await folder();
  expect((await inspected(at)).warnings).toContain('There are no files in it');
  const job = await register(service, { path: at });
  expect(job).toMatchObject({ state: 'done', files_total: 0 });
  expect(await service.services.measurements.byId(job.measurement_id)).toMatchObject({
    state: 'available',
    archive_bytes: 22,
  });
});

test('at most a hundred findings are listed, and the others are counted', async () => {
  const at = await folder();
  await makeFiles(at, Object.fromEntries(Array.from({ length: 150 }, (_unused, index) => [`${index}:x`, 'x'])));
  const { warnings } = await inspected(at);
  expect(warnings).toHaveLength(100);
  expect(warnings.at(-1)).toBe('and 51 more');
});

test('the ignore list is shown, changed, and leaves files out', async () => {
  const at = await folder();
  await makeFiles(at, {
    'a.txt': 'x',
    '.DS_Store': 'x',
    '._a.txt': 'x',
    'THUMBS.DB': 'x',
    '~$table.xlsx': 'x',
    'b.tmp': 'x',
    'c.partial': 'x',
    'cache/d.txt': 'x',
  });
  expect(await inspected(at)).toMatchObject({
    file_count: 2,
    ignored: expect.arrayContaining(['.DS_Store', 'THUMBS.DB', '~$table.xlsx']) as string[],
  });
  const before = (await asWindow(service, 'GET', '/api/v4/local/ignore-list')).body as {
    patterns: string[];
    usual: string[];
  };
  expect(before.patterns).toEqual(before.usual);
  const changed = await asWindow(service, 'PUT', '/api/v4/local/ignore-list', {
    patterns: ['cache/', ' *.tmp ', '*.tmp'],
  });
  expect(changed).toEqual({ status: 200, body: { patterns: ['cache/', '*.tmp'], usual: before.usual } });
  expect(await inspected(at)).toMatchObject({
    file_count: 6,
    ignored: expect.arrayContaining(['cache/', 'b.tmp']) as string[],
  });
  await asWindow(service, 'PUT', '/api/v4/local/ignore-list', { patterns: before.usual });
});

test('paths that cannot be registered are refused at once', async () => {
  const inside = path.join(service.services.config.dataDir, 'mine');
  await mkdir(inside, { recursive: true });
  for (const [target, type] of [
    ['/no/such/folder', 'bad-path'],
    ['relative/folder', 'bad-path'],
    ['/dev/null', 'bad-path'],
    [inside, 'data-directory'],
    [service.dir, 'data-directory'],
    ['/', 'data-directory'],
  ]) {
    for (const url of ['/api/v4/local/inspect', '/api/v4/local/registrations']) {
      expect(await asWindow(service, 'POST', url, { path: target })).toMatchObject({
        status: 422,
        body: { type: `urn:benchport:problem:${type}` },
      });
    }
  }
});

test('only the window reaches local paths', async () => {
  const token = await service.token((await service.services.users.byUsername('alice'))?.id ?? 0, ['api']);
  for (const [method, url] of [
    ['POST', '/api/v4/local/inspect'],
    ['POST', '/api/v4/local/registrations'],
    ['POST', '/api/v4/local/sample'],
    ['POST', '/api/v4/local/measurements/x/exports'],
    ['POST', '/api/v4/local/measurements/x/stage'],
    ['GET', '/api/v4/local/ignore-list'],
    ['PUT', '/api/v4/local/ignore-list'],
  ] as const) {
    const body = method === 'GET' ? {} : { body: JSON.stringify({ path: '/tmp', patterns: [] }) };
    const response = await fetch(`${service.url}${url}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...body,
    });
    expect(response.status).toBe(404);
  }
});
