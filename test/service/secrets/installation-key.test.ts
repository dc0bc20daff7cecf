import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { installationKey } from '../../../src-main/service/secrets/installation-key.ts';
import { secretBox } from '../../../src-main/service/secrets/secret-box.ts';
import { secretKeyOf } from '../../../src-main/service/secrets/secret-key.ts';
import { browserAt } from '../browser.ts';
import { addUser } from '../people.ts';
import { startTestService } from '../start.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = path.join(await mkdtemp(path.join(os.tmpdir(), 'benchport-key-')), 'data');
  await mkdir(dataDir, { mode: 0o700 });
});
afterEach(async () => rm(path.dirname(dataDir), { recursive: true }));

const keyOf = (dir: string, purpose: string) =>
  installationKey(secretBox(secretKeyOf({ dataDir: dir })), pino({ level: 'silent' }), purpose);

test('is the same for a purpose wherever the key file is, and another one for each purpose', async () => {
  const first = keyOf(dataDir, 'forms');
  expect(first).toHaveLength(32);
  expect(keyOf(dataDir, 'forms')).toEqual(first);
  expect(keyOf(dataDir, 'the setup code')).not.toEqual(first);
  const other = path.join(dataDir, 'other');
  await mkdir(other);
  expect(keyOf(other, 'forms')).not.toEqual(first);
  await writeFile(path.join(other, 'secret.key'), await readFile(path.join(dataDir, 'secret.key')));
  expect(keyOf(other, 'forms')).toEqual(first);
});

test('a damaged key file leaves the service running: people sign in, and the next start has other keys', async () => {
  await writeFile(path.join(dataDir, 'secret.key'), 'short');
  const lines: string[] = [];
  const service = await startTestService({
    dataDir,
    database: null,
    logLevel: 'error',
    log: { write: (line: string) => void lines.push(line) },
  });
  try {
    await addUser(service.services, 'alice', { password: 'a long password' });
    const browser = browserAt(service);
    const answer = await browser.signIn('alice', 'a long password');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/ui/']);
    expect(lines.join('')).toContain('the key for forms is of this start alone');
    expect(lines.join('')).toContain('secret.key is damaged');
  } finally {
    await service.end();
  }
  expect(keyOf(dataDir, 'forms')).not.toEqual(keyOf(dataDir, 'forms'));
});
