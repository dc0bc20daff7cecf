import Database from 'better-sqlite3';
import { hash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '../../../src-main/service/database/migrate.ts';
import { commandLine, linesForPeople, type CommandLine } from '../../cli/command-line.ts';
import { ledger } from './ledger.ts';
import { findBelow, findIn } from './search-secrets.ts';
import type { Visitor } from './visitor.ts';
import { codeFlow, deviceFlow, implicitFlow, passwordGrant, replayCode } from './run-grants.ts';
import { passwords, type Run } from './run-requests.ts';
import {
  changePassword,
  makeApplications,
  misplace,
  personalTokens,
  readEverything,
  secondFactor,
  signIn,
  signUp,
  useTokens,
} from './whole-run.ts';

let cli: CommandLine;
let run: Run;
let personal: string;
let strong: Visitor;
const secrets = ledger();

beforeAll(async () => {
  cli = await commandLine();
  run = { cli, service: await cli.serve([], { BENCHPORT_LOG: 'debug' }), secrets };
  const first = await signUp(run);
  const source = path.join(cli.dir, 'QX-7');
  await mkdir(source);
  await writeFile(path.join(source, 'run.csv'), 'time;signal\n'.repeat(100));
  await cli.ok(['measurement', 'register', source, '--id', 'QX-7', '--owner', 'alice', '--copy']);
  await first.send('POST', '/users/sign_out');
  const browser = await signIn(run, 'alice', passwords.alice);
  const applications = await makeApplications(run, browser);
  const { access_token: access } = await codeFlow(run, browser, applications.server);
  await codeFlow(run, browser, applications.desktop);
  await replayCode(run, browser, applications.desktop);
  await implicitFlow(run, browser, applications.old.client_id);
  await passwordGrant(run, applications.server);
  await deviceFlow(run, browser, applications.desktop.client_id);
  strong = await secondFactor(run, browser);
  personal = await personalTokens(run, strong);
  await useTokens(run, personal, access, applications);
  await misplace(run, personal, access);
  await changePassword(run, strong);
  await mkdir(path.join(cli.dir, 'export'));
  await cli.ok(['measurement', 'export', 'QX-7', '--to', path.join(cli.dir, 'export'), '--format', 'ro-crate']);
}, 240_000);
afterAll(() => cli.end());

describe('after a whole run', () => {
  test('every kind of secret was seen', () => {
    const kinds = [...secrets.secrets.values()].join('\n');
    for (const kind of [
      'password of',
      'cookie benchport_session',
      'CSRF',
      'secret of',
      'authorization code',
      'verifier',
      'access token',
      'refresh token',
      'id_token',
    ]) {
      expect(kinds).toContain(kind);
    }
    for (const kind of [
      'device code',
      'user code',
      'authenticator',
      'recovery code',
      'personal access token',
      'setup code',
    ])
      expect(kinds).toContain(kind);
    expect(secrets.secrets.size).toBeGreaterThan(60);
  });

  test('S87 S108 no response to a read returns one again', async () => {
    const answers = await readEverything(strong);
    const given = answers.filter(({ status }) => status === 200);
    expect(given.length).toBeGreaterThan(25);
    // The session response contains the CSRF token of a browser.
    const rest = new Map([...secrets.secrets].filter(([, what]) => what !== 'the CSRF token of the session'));
    for (const { url, text } of given) expect(findIn(url.pathname, Buffer.from(text), rest)).toEqual([]);
  });

  test('S71 no file of the data directory has one, while the service runs', async () => {
    expect(await readdir(cli.dataDir)).toEqual(
      expect.arrayContaining(['benchport.db', 'benchport.db-wal', 'secret.key']),
    );
    expect(await findBelow(cli.dataDir, secrets.secrets)).toEqual([]);
    // The digest is in the files, which shows that the search sees the latest writes.
    const files = await Promise.all(
      ['benchport.db', 'benchport.db-wal'].map(async (name) => findBelowName(name, hash('sha256', personal, 'buffer'))),
    );
    expect(files).toContain(true);
  });

  test('S75 neither does the log at its finest level', () => {
    const { stdout, stderr } = run.service.output();
    const log = stderr.split('\n').filter((line) => line.startsWith('{'));
    expect(log.filter((line) => line.includes('"msg":"request"')).length).toBeGreaterThan(150);
    expect(findIn('the log', Buffer.from(log.join('\n')), secrets.secrets)).toEqual([]);
    // Only the setup code is printed, for whoever starts the service.
    const rest = new Map([...secrets.secrets].filter(([, what]) => what !== 'the setup code'));
    expect(findIn('the terminal', Buffer.from([stdout, ...linesForPeople(stderr)].join('\n')), rest)).toEqual([]);
  });

  test('neither does the diagnostics bundle', async () => {
    const bundle = await strong.get('/api/v4/diagnostics.zip');
    expect(bundle.status).toBe(200);
    expect(bundle.text).toContain('"msg":"request"');
    expect(findIn('the bundle', Buffer.from(bundle.text), secrets.secrets)).toEqual([]);
  });

  test('S78 neither does an export, the copy before a migration, or any file after the stop', async () => {
    expect(await findBelow(path.join(cli.dir, 'export'), secrets.secrets)).toEqual([]);
    run.service.kill('SIGTERM');
    expect(await run.service.ended).toEqual({ code: 0, signal: null });
    const later = path.join(cli.dir, 'later');
    await cp(cli.dataDir, later, { recursive: true });
    const database = new Database(path.join(later, 'benchport.db'));
    migrate(
      database,
      [{ number: 999, name: 'later', sql: 'CREATE TABLE later (id INTEGER)' }],
      path.join(later, 'backups'),
    );
    database.close();
    expect((await readdir(path.join(later, 'backups'))).length).toBe(1);
    expect(await findBelow(later, secrets.secrets)).toEqual([]);
    expect(await findBelow(cli.dataDir, secrets.secrets)).toEqual([]);
  });
});

describe('the search', () => {
  const token = 'bppat-7Yk2mQ9xV4cTz8WfR1nLb6HsJ3pDg5Ae0uK7iX';
  const hex = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

  test.each([
    ['in clear', `x${token}x`],
    ['as hex', Buffer.from(`x${token}x`).toString('hex')],
    ['as upper-case hex', Buffer.from(token).toString('hex').toUpperCase()],
    ['as base64', Buffer.from(token).toString('base64')],
    ['as base64 one byte in', Buffer.from(`x${token}x`).toString('base64')],
    ['as base64 two bytes in', Buffer.from(`xx${token}`).toString('base64')],
    ['as base64url', Buffer.from(`x${token}`).toString('base64url')],
    ['as Basic credentials', Buffer.from(`client:${hex}`).toString('base64')],
    ['as the bytes that hex stands for', Buffer.concat([Buffer.from('x'), Buffer.from(hex, 'hex')])],
    ['as base64 of those', Buffer.from(hex, 'hex').toString('base64')],
  ])('finds one %s', (_name, content) => {
    expect(
      findIn(
        'here',
        Buffer.from(content),
        new Map([
          [token, 'a token'],
          [hex, 'a code'],
        ]),
      ),
    ).not.toEqual([]);
    expect(findIn('here', Buffer.from(content), new Map([['bppat-another', 'a token']]))).toEqual([]);
  });
});

async function findBelowName(name: string, bytes: Buffer): Promise<boolean> {
  return (await readFile(path.join(cli.dataDir, name))).includes(bytes);
}
