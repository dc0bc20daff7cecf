import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { logFiles } from '../../../src-main/service/logging/log-file.ts';
import { makeSelfSigned } from '../../../src-main/service/http/server/self-signed.ts';
import { commandLine, type CommandLine } from '../../cli/command-line.ts';
import { addMeasurement, openBeside } from '../fixture-measurement.ts';
import { mustRun } from '../run-program.ts';
import { findIn } from '../security/search-secrets.ts';
import { startTestService, type TestService } from '../start.ts';
import { lines, names, planted, secrets } from './bundle-scene.ts';

let service: TestService;
let cli: CommandLine;
let admin: string;

beforeAll(async () => {
  cli = await commandLine();
  service = await startTestService({
    dataDir: cli.dataDir,
    logLevel: 'info',
    log: { write: () => {} },
    window: { socketPath: path.join(cli.dir, 's', 'w.sock'), secret: planted.launch },
  });
  const alice = await service.user(names.user, true);
  admin = secrets.note('the administrator’s token', await service.token(alice, ['api']));
  await addMeasurement(service, alice, names.measurement, [{ path: names.file, bytes: 'x' }]);
  const certificate = await makeSelfSigned(['127.0.0.1'], Date.now());
  await writeFile(path.join(cli.dataDir, 'tls-key.pem'), certificate.key);
  secrets.note('a private key', certificate.key.split('\n')[1] ?? '');
  secrets.note(
    'the key of the secrets',
    (await readFile(path.join(cli.dataDir, 'secret.key')).catch(() => randomBytes(32))).toString('hex'),
  );
  const database = openBeside(service);
  const set = database.prepare('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)');
  for (const [name, value] of Object.entries(planted)) set.run(`planted_${name}`, value);
  set.run(
    'fetching',
    JSON.stringify({ at_most: 3, token: planted.remote, proxy: `http://alice:${planted.password}@proxy/` }),
  );
  set.run('oauth.password_grant', planted.token);
  const all = Object.values(planted).join(' ');
  database
    .prepare(
      `INSERT INTO jobs (kind, measurement_id, parameters, state, message, result, created_at) VALUES ('export', ?, ?, 'failed', ?, ?, 1)`,
    )
    .run(names.measurement, JSON.stringify({ all }), all, `/data/${names.user}/${all}`);
  database
    .prepare(
      `INSERT INTO fetches (base_url, measurement_id, title, what, target, state, reason, message, position, created_at) VALUES (?, ?, ?, 'files', ?, 'failed', 'unexpected', ?, 1, 1)`,
    )
    .run(
      `https://alice:${planted.password}@${names.server}`,
      names.measurement,
      names.title,
      `/data/${names.user}`,
      all,
    );
  database
    .prepare('INSERT INTO remote_servers (name, base_url, token, created_at) VALUES (?, ?, ?, 1)')
    .run(names.server, `https://${names.server}`, Buffer.from(planted.remote));
  database.close();
  const [older, newer] = logFiles(cli.dataDir);
  await mkdir(path.dirname(newer), { recursive: true });
  await writeFile(older, lines() + certificate.key);
  await writeFile(newer, `${JSON.stringify({ level: 50, msg: certificate.key })}\n${lines()}`, { flag: 'a' });
  // Requests that carry secrets in the wrong places.
  for (const url of [
    `/measurements/${planted.token}/files`,
    `/api/v4/user?access_token=${planted.code}`,
    `/users/sign_in?password=${encodeURIComponent(planted.password)}`,
  ])
    await fetch(service.url + url, { headers: { 'private-token': admin } });
});
afterAll(async () => {
  await service.end();
  await cli.end();
});

/** Expects no secret in any form and no name. */
function expectClean(what: string, bytes: Buffer): void {
  expect(findIn(what, bytes, secrets.secrets)).toEqual([]);
  for (const name of Object.values(names)) expect(bytes.includes(name), `${what} names ${name}`).toBe(false);
  // Parts of a secret are secret too.
  for (const part of ['Quagga', 'tarkin'])
    expect(bytes.toString('latin1').toLowerCase().includes(part.toLowerCase()), `${what} has ${part}`).toBe(false);
}

test('the bundle has every part, opens with any ZIP program, and holds no secret and no name', async () => {
  const answer = await fetch(`${service.url}/api/v4/diagnostics.zip`, { headers: { 'private-token': admin } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/zip');
  const bytes = Buffer.from(await answer.arrayBuffer());
  expectClean('the bundle', bytes);
  const file = path.join(cli.dir, 'bundle.zip');
  await writeFile(file, bytes);
  await mustRun('unzip', ['-q', file, '-d', path.join(cli.dir, 'unpacked')]);
  const read = async (name: string) => readFile(path.join(cli.dir, 'unpacked/benchport-diagnostics', name), 'utf8');
  expect(JSON.parse(await read('about.json'))).toMatchObject({ benchport: '0.0.0-test', platform: process.platform });
  expect(JSON.parse(await read('settings.json'))).toMatchObject({ planted_token: '[not shown]' });
  expect(JSON.parse(await read('counts.json'))).toMatchObject({
    rows: { users: 1, measurements: 1, jobs: 1, fetches: 1 },
  });
  expect(JSON.parse(await read('jobs.json'))).toEqual([expect.objectContaining({ kind: 'export', state: 'failed' })]);
  expect(JSON.parse(await read('fetches.json'))).toEqual([
    expect.objectContaining({ state: 'failed', reason: 'unexpected' }),
  ]);
  expect(JSON.parse(await read('doctor.json'))).toContainEqual(expect.objectContaining({ check: 'disk', ok: true }));
  expect(await read('metrics.txt')).toContain('benchport_build_info{');
  const log = await read('log.txt');
  // Useful facts are kept.
  expect(log).toContain('"msg":"used [removed]"');
  expect(log).toContain('"url":"/measurements/:name/files/0?access_token=');
  expect(log.split('\n').length).toBeGreaterThan(100);
});

test('administrators see the content beforehand, and it is the content of the bundle', async () => {
  const answer = await fetch(`${service.url}/api/v4/diagnostics`, { headers: { 'private-token': admin } });
  const parts = (await answer.json()) as { readonly name: string; readonly about: string; readonly text: string }[];
  expect(parts.map(({ name }) => name)).toEqual([
    'about.json',
    'configuration.json',
    'settings.json',
    'counts.json',
    'jobs.json',
    'fetches.json',
    'doctor.json',
    'metrics.txt',
    'log.txt',
  ]);
  expectClean('what is shown', Buffer.from(parts.map(({ text }) => text).join('\n')));
  const bob = await service.token(await service.user('bob'), ['api']);
  for (const url of ['/api/v4/diagnostics', '/api/v4/diagnostics.zip']) {
    expect((await fetch(service.url + url)).status).toBe(401);
    expect((await fetch(service.url + url, { headers: { 'private-token': bob } })).status).toBe(403);
  }
});

test('the command line writes the bundle beside a running service, once, and also for a damaged database', async () => {
  const file = path.join(cli.dir, 'from-the-command-line.zip');
  const made = await cli.runHere(['diagnostics', file]);
  expect(made).toMatchObject({ status: 0, stderr: '' });
  expect(made.stdout).toContain('log.txt: ');
  expectClean('the bundle of the command line', await readFile(file));
  expect(await cli.runHere(['diagnostics', file])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('already exists') as string,
  });

  const damaged = path.join(cli.dir, 'damaged');
  await mkdir(damaged);
  await writeFile(path.join(damaged, 'benchport.db'), randomBytes(8192));
  const other = path.join(cli.dir, 'damaged.zip');
  expect((await cli.runHere(['diagnostics', other, '--data', damaged])).status).toBe(0);
  expect((await readFile(other)).includes('"ok": false')).toBe(true);
});
