import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { machineCommand, mayHaveMachine } from '../machine/machine.ts';
import { installHeadless } from '../packaging/install-headless.ts';
import { readExamples, runExamples } from './shell-examples.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 300_000 });

const root = path.resolve(import.meta.dirname, '../..');
const heading = 'From nothing to three replicas in ten minutes';

/** Writes down how a replica runs and stops; systemctl of this machine fails if it does not stop well in time. */
const facts = `
pid=$(cat /run/units/benchport@7421.pid)
cat /proc/$pid/status > status
id -u benchport > uid
tr '\\0' '\\n' < /proc/$pid/environ > environment
stat -c '%n %a %U' /run/credentials/benchport@7421.service/* > credentials
for file in /etc/written /usr/local/written /srv/benchport/written /var/lib/benchport/7422/written; do
  ! nsenter --target $pid --mount -- touch $file
done 2> refused
nsenter --target $pid --mount -- touch /srv/benchport/library/written /var/lib/benchport/7421/written
nsenter --target $pid --mount -- ls -A /root /tmp > hidden
systemctl stop benchport@7421
cat /run/units/benchport@7421.exit > exit
`;

describe.runIf(mayHaveMachine)('a facility on a machine with Debian’s packages and the headless one', () => {
  let folder: string;
  let problems: readonly string[];
  const read = async (name: string) => readFile(path.join(folder, 'work', name), 'utf8');

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'benchport-deployment-'));
    const guide = await readFile(path.join(root, 'docs/administrator-guide.md'), 'utf8');
    const section = guide.split('\n## ').find((one) => one.startsWith(`${heading}\n`)) ?? '';
    const examples = readExamples(section);
    expect(examples).toHaveLength(9);
    const work = path.join(folder, 'work');
    await mkdir(work);
    const command = await machineCommand(folder, await installHeadless(folder));
    const own = { line: 0, script: facts, answer: null, notRun: null };
    problems = await runExamples([...examples, own], work, {}, command);
  });
  afterAll(async () => rm(folder, { recursive: true, force: true }));

  test('is set up by the commands of the administrator’s guide, and answers what the guide says', () => {
    expect(problems).toEqual([]);
  });

  test('the unit runs a replica as its user, without privileges', async () => {
    const uid = (await read('uid')).trim();
    const status = await read('status');
    expect(status).toContain(`Uid:\t${uid}\t${uid}\t${uid}\t${uid}\n`);
    for (const line of ['NoNewPrivs:\t1', 'CapBnd:\t0000000000000000', 'CapEff:\t0000000000000000', 'Umask:\t0077'])
      expect(status).toContain(`${line}\n`);
  });

  test('it reads its secrets from files that only its user can read, not from the environment', async () => {
    const place = '/run/credentials/benchport@7421.service';
    expect(await read('credentials')).toBe(`${place}/database-url 400 benchport\n${place}/secret-key 400 benchport\n`);
    const environment = await read('environment');
    expect(environment).toContain(`BENCHPORT_DATABASE_URL_FILE=${place}/database-url\n`);
    expect(environment).toContain('BENCHPORT_LIBRARY_DIR=/srv/benchport/library\n');
    expect(environment).not.toMatch(/postgres:|PASSWORD/);
  });

  test('it can write to its data directory and the library alone', async () => {
    const refused = (await read('refused')).trim().split('\n');
    expect(refused).toHaveLength(4);
    for (const line of refused) expect(line).toContain('Read-only file system');
    expect((await read('hidden')).match(/password|work/)).toBeNull();
  });

  test('SIGTERM ends it with code 0 within the time that the unit gives', async () => {
    expect(await read('exit')).toBe('0');
  });
});
