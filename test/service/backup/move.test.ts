import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { locateData, temporaryCopyPath } from '../../../src-main/service/backup/data-location.ts';
import { moveData, type MoveInput } from '../../../src-main/service/backup/move-data.ts';
import { finishSwitch, scheduleSwitch, restorePaths } from '../../../src-main/service/backup/switch-data.ts';
import type { BackupState } from '../../../src-main/service/contract/backups.ts';
import { openDatabase } from '../../../src-main/service/database/open.ts';
import { usersStore } from '../../../src-main/service/accounts/store/users-store.ts';
import { asWindow } from '../as-window.ts';
import { mayMount } from '../may-mount.ts';
import { programEntry } from '../program-entry.ts';
import { run } from '../run-program.ts';
import { startTestService } from '../start.ts';
import { storeContext } from '../../../src-main/service/database/store-context.ts';
import { contents, copied } from './data-folders.ts';
import { writeAlice } from '../database/write-alice.ts';

let dir: string;
let from: string;
let to: string;

beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-move-'));
  [from, to] = [path.join(dir, 'data'), path.join(dir, 'elsewhere')];
  await writeAlice(from);
  for (const [at, bytes] of [Buffer.from('an object'), Buffer.alloc(24_000_000, 3)].entries()) addObject(bytes, at);
  writeFileSync(path.join(from, 'secret.key'), Buffer.alloc(32, 9), { mode: 0o600 });
});
afterEach(() => rm(dir, { recursive: true, force: true }));

function addObject(bytes: Buffer, at: number): void {
  const name = createHash('sha256').update(bytes).digest('hex');
  const folder = path.join(from, 'library', 'objects', name.slice(0, 2));
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, name), bytes, { mode: at === 0 ? 0o444 : 0o644 });
}

const move = async (change: Partial<MoveInput> = {}): Promise<void> =>
  moveData({ from, to, report: () => {}, signal: new AbortController().signal, ...change });

test('moved data are identical, are found from the old place, and can move back once the old ones are gone', async () => {
  const before = contents(from);
  await move();
  expect(contents(to)).toEqual(before);
  expect(contents(from)).toEqual(before);
  expect([locateData(from), locateData(to)]).toEqual([to, to]);
  const service = await startTestService({ dataDir: from });
  const token = await service.token((await service.services.users.byUsername('alice'))?.id ?? 0);
  expect((await asWindow(service, 'GET', '/api/v4/backups')).body).toMatchObject({ moved: { from } });
  await service.end();

  await expect(move({ from: to, to: from })).rejects.toThrow(/is not an empty folder/);
  await rm(from, { recursive: true });
  await move({ from: to, to: from });
  expect([locateData(from), locateData(to)]).toEqual([from, from]);
  const back = await startTestService({ dataDir: to });
  expect(
    (await fetch(`${back.url}/api/v4/measurements`, { headers: { authorization: `Bearer ${token}` } })).status,
  ).toBe(200);
  await back.end();
});

test('an unsuitable destination is refused, and data moved to a disk that is away are not created a second time', async () => {
  mkdirSync(path.join(dir, 'full'));
  writeFileSync(path.join(dir, 'full', 'note'), '');
  symlinkSync(from, path.join(dir, 'link'));
  for (const [place, reason] of [
    [from, /already/],
    [path.join(dir, 'link'), /already/],
    [path.join(from, 'inner'), /is inside the other/],
    [path.join(dir, 'full'), /is not an empty folder/],
    [path.join(dir, 'none', 'data'), /There is no folder/],
    ['relative', /absolute path/],
  ] as const) {
    await expect(move({ to: place })).rejects.toThrow(reason);
  }
  await expect(move({ to: dir })).rejects.toThrow(/is inside the other/);
  if (mayMount) {
    const disk = path.join(dir, 'disk');
    mkdirSync(disk);
    await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'benchport-test', disk]);
    const refused: unknown = await move({ to: disk }).catch((error: unknown) => error);
    await run('umount', [disk]);
    expect(String(refused)).toContain('is the root of a disk');
  }
  symlinkSync(dir, path.join(from, 'library', 'link'));
  await expect(move()).rejects.toThrow(/neither a file nor a folder/);
  rmSync(path.join(from, 'library', 'link'));
  expect(locateData(from)).toBe(from);

  await move();
  renameSync(to, path.join(dir, 'unplugged'));
  await expect(startTestService({ dataDir: from })).rejects.toThrow(/which does not exist. Connect its disk/);
  expect(existsSync(to)).toBe(false);
});

test('a damaged object stops the move, and no copy is left', async () => {
  const shard = path.join(from, 'library', 'objects');
  const [name = ''] = readdirSync(shard);
  const [object = ''] = readdirSync(path.join(shard, name));
  rmSync(path.join(shard, name, object));
  writeFileSync(path.join(shard, name, object), 'other bytes');
  await expect(move()).rejects.toThrow(/is damaged: it is not what was registered/);
  expect(readdirSync(dir)).toEqual(['data']);
});

test('killed at any moment, the data are complete in one place, and the next attempt succeeds', async () => {
  const before = contents(from);
  const start = () =>
    spawn(process.execPath, [programEntry('command line'), 'move', to, '--data', from], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  for (const bytes of [0, 8_000_000, 24_000_009]) {
    const child = start();
    const gone = once(child, 'exit');
    // Kill when this many bytes are copied.
    while (child.exitCode === null && !existsSync(to) && copied(temporaryCopyPath(to)) < bytes) await wait(1);
    child.kill('SIGKILL');
    await gone;
    expect(contents(locateData(from))).toEqual(before);
  }
  if (locateData(from) === from) await once(start(), 'exit');
  expect(locateData(from)).toBe(to);
  expect(contents(to)).toEqual(before);
  // The state between writing the pointer and renaming the copy.
  renameSync(to, temporaryCopyPath(to));
  expect([locateData(from), existsSync(to)]).toEqual([to, true]);
  const database = openDatabase(to);
  expect(await usersStore(storeContext(database).database).byUsername('alice')).toMatchObject({ name: 'Alice' });
  database.close();
});

test('the window requests it, the service does it at its next start, and says why it failed', async () => {
  const restarts: string[] = [];
  const service = await startTestService({ dataDir: from, restart: () => restarts.push('now') });
  const inner = await asWindow(service, 'POST', '/api/v4/local/data/move', { to: path.join(from, 'inner') });
  expect(inner).toMatchObject({
    status: 422,
    body: { detail: expect.stringContaining('is inside the other') as string },
  });
  expect((await asWindow(service, 'POST', '/api/v4/local/data/move', { to })).status).toBe(202);
  await expect.poll(() => restarts).toEqual(['now']);
  await service.end();

  // Another program has created the destination meanwhile.
  mkdirSync(to);
  writeFileSync(path.join(to, 'note'), '');
  const told: string[] = [];
  const progress = (message: string): void => void told.push(message);
  const refused = await startTestService({ dataDir: from, progress });
  expect(refused.services.config.dataDir).toBe(from);
  expect(((await asWindow(refused, 'GET', '/api/v4/backups')).body as BackupState).move_failed?.reason).toContain(
    'is not an empty folder',
  );
  rmSync(to, { recursive: true });
  expect((await asWindow(refused, 'POST', '/api/v4/local/data/move', { to })).status).toBe(202);
  await refused.end();
  const moved = await startTestService({ dataDir: from, progress });
  expect(moved.services.config.dataDir).toBe(to);
  expect(told[0]).toBe(`Moving the data to ${to}`);
  await moved.end();
});

test('restored data take their place also after a kill between the two renames', () => {
  const { unpacking, ready } = restorePaths(from);
  mkdirSync(unpacking);
  writeFileSync(path.join(unpacking, 'benchport.db'), 'restored');
  const { before } = scheduleSwitch(from, {
    restored_at: '2026-11-22T03:15:00.000Z',
    as_of: '2026-11-20T03:15:00.000Z',
    from: '/b.zip',
  });
  expect(existsSync(ready)).toBe(true);
  renameSync(from, before);
  expect(finishSwitch(from)).toMatchObject({ before });
  expect(readFileSync(path.join(from, 'benchport.db'), 'utf8')).toBe('restored');
  expect(existsSync(path.join(before, 'secret.key'))).toBe(true);
  expect(finishSwitch(from)).toBeNull();
});

test.skipIf(process.getuid?.() !== 0)(
  'nobody else can say that other data are to take the place of these, by what they put beside them',
  () => {
    const nobody = 65_534;
    const { ready } = restorePaths(from);
    mkdirSync(ready);
    writeFileSync(
      path.join(ready, 'restored.json'),
      JSON.stringify({ restored_at: '2026-11-22T03:15:00.000Z', as_of: 'x', from: 'x', before: `${from}-gone` }),
    );
    chownSync(ready, nobody, nobody);
    expect(() => finishSwitch(from)).toThrow(`${ready} belongs to a different user`);
    expect(existsSync(path.join(from, 'secret.key'))).toBe(true);
    const pointer = `${from}.moved.json`;
    writeFileSync(pointer, JSON.stringify({ to, at: Date.now() }));
    chownSync(pointer, nobody, nobody);
    expect(() => locateData(from)).toThrow(`${pointer} belongs to a different user`);
    // The owner of the directory may place them, also when root starts the service.
    chownSync(from, nobody, nobody);
    mkdirSync(to);
    expect(locateData(from)).toBe(to);
  },
);
