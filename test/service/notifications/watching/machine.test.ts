import { afterAll, beforeAll, expect, test } from 'vitest';
import { noteBackup, noteFailedBackup, writeBackupSchedule } from '../../../../src-main/service/backup/backup-notes.ts';
import { tellOfLateBackup } from '../../../../src-main/service/notifications/watching/late-backup.ts';
import { tellOfLowDisks, type DiskSpace } from '../../../../src-main/service/notifications/watching/low-disk.ts';
import { startNotifyWorld, type NotifyWorld } from '../notify-world.ts';
import { toldOf } from './told.ts';

const gib = 1024 ** 3;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
let world: NotifyWorld;
beforeAll(async () => {
  world = await startNotifyWorld();
});
afterAll(async () => world.end());

test('a disk with little space is told to administrators once, until it has room again', async () => {
  const { token } = await world.bob();
  const look = async (free: number, total = 1000): Promise<void> => {
    const space: DiskSpace = { freeBytes: free * gib, totalBytes: total * gib };
    await tellOfLowDisks(world.service.services, async () => space);
  };
  const told = async () => toldOf(world, 'disk-low');
  await look(5);
  expect(await told()).toEqual([]);
  await look(4.5);
  await look(4);
  // More than the threshold, and not yet enough.
  await look(6);
  await look(4.9);
  expect(await told()).toMatchObject([{ title: '4.5 GiB is free on the disk of the data folder' }]);
  await look(7);
  await look(4);
  expect(await told()).toHaveLength(2);
  expect(await toldOf(world, 'disk-low', token)).toEqual([]);
  await look(7);
  // Of a small disk 5 percent.
  await look(2, 20);
  expect(await told()).toHaveLength(2);
  await look(0.9, 20);
  expect(await told()).toHaveLength(3);
});

test('the disk of a library elsewhere is looked at as well', async () => {
  const { conditions } = world.service.services;
  const before = (await toldOf(world, 'disk-low')).length;
  const config = { dataDir: '/data', libraryDir: '/library' };
  const space = async (folder: string): Promise<DiskSpace> => ({
    freeBytes: folder === '/library' ? gib : 500 * gib,
    totalBytes: 1000 * gib,
  });
  await tellOfLowDisks({ conditions, config }, space);
  expect((await toldOf(world, 'disk-low')).slice(before)).toMatchObject([
    { title: '1.0 GiB is free on the disk of the library' },
  ]);
});

test('a backup that fails, or is not made for twice its interval, is told to administrators', async () => {
  const { settings } = world.service.services;
  const now = Date.now();
  const look = async (days: number, elapsedMs = 0): Promise<void> =>
    tellOfLateBackup(world.service.services, now + days * dayMs, elapsedMs);
  const told = async (as?: string) => toldOf(world, 'backup-late', as);
  const made = { file: '/backups/one.zip', bytes: 1, measurements: 1, left_out: 0 };
  await noteBackup(settings, { ...made, made_at: new Date(now).toISOString() });
  await look(30, 2 * hourMs);
  expect(await told()).toEqual([]);
  await writeBackupSchedule(settings, { folder: '/backups', every: 'day', keep: 3 });
  await look(1.9, 2 * hourMs);
  // A machine that was off for long makes the one that is due first.
  await look(2.1);
  expect(await told()).toEqual([]);
  await look(2.1, hourMs);
  await look(2.2, hourMs);
  expect(await told()).toMatchObject([{ title: expect.stringMatching(/^The last one is of \d{4}-/) }]);
  await noteBackup(settings, { ...made, made_at: new Date(now + 2.3 * dayMs).toISOString() });
  await look(2.3);
  await noteFailedBackup(settings, { at: new Date(now).toISOString(), reason: 'the folder is not there' });
  await look(2.4);
  await look(2.5, 2 * hourMs);
  expect(await told()).toHaveLength(2);
  expect((await told())[1]?.title).toBe('The last backup was not written: the folder is not there');
  expect(await told((await world.bob()).token)).toEqual([]);
});
