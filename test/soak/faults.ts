import { randomInt } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { appendFile, chmod, readdir, readFile, rm, stat, statfs, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { mayMount } from '../service/may-mount.ts';
import { run } from '../service/run-program.ts';
import { sendOnce, Broken } from './ask.ts';
import { jobEnds, oneOf, pause, someFiles, register, type KnownMeasurement, type World } from './world.ts';

// Retention removes events when less than a gibibyte is free.
const diskMebibytes = 1792;

/**
 * A small separate disk for the data of the first service, if this user may mount one.
 * @returns a function that removes it.
 */
export function smallDisk(folder: string): (() => void) | null {
  if (!mayMount) return null;
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMebibytes}m`, 'benchport-soak', folder], { stdio: 'ignore' });
  return () => void execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
}

/**
 * Fills the disk completely for a while: writes are refused with an explanation, reads continue,
 * and everything recovers afterwards.
 */
export async function fillDisk(world: World, seconds: number): Promise<void> {
  const { main, record, largest, token } = world;
  const ballast = path.join(main.dataDir, 'ballast');
  const pressure = { from: performance.now(), to: Infinity };
  record.pressures.push(pressure);
  try {
    const { bavail, bsize } = await statfs(main.dataDir);
    // Other writers may fill it earlier.
    await run('fallocate', ['-l', String(bavail * bsize), ballast]);
    await appendFile(ballast, Buffer.alloc(1024 * 1024)).catch(() => {});
    const end = performance.now() + seconds * 1000;
    while (performance.now() < end) {
      const from = performance.now();
      await record.attempt('download from a full disk', async () => {
        const reply = await sendOnce(main, `/measurements/${largest.id}/files/0`, {
          headers: { authorization: `Bearer ${token}`, range: 'bytes=0-999' },
        });
        record.expect(reply, from, 206);
      });
      await pause(100, 300);
    }
  } finally {
    await rm(ballast, { force: true });
    pressure.to = performance.now();
  }
  const from = performance.now();
  await record.attempt('write after a full disk', async () => {
    const reply = await sendOnce(main, '/-/readiness');
    // The cached state may be a moment old.
    if (reply.status !== 503) record.expect(reply, from, 200);
  });
}

const damagedId = 'soak-damaged';
const served = 'A byte that is served is the byte that was registered, or the transfer fails visibly';

/** A measurement in the library that is damaged repeatedly. */
export async function damageable(world: Pick<World, 'main' | 'record' | 'dir'>): Promise<KnownMeasurement | null> {
  return register(world, damagedId, someFiles(2, 3_000_000, 3_000_000), true);
}

/**
 * Alters a byte of a library file as a bad disk would, expects that no download completes, and
 * restores and verifies it.
 */
export async function damageLibrary(world: World, victim: KnownMeasurement): Promise<void> {
  const { main, record, token } = world;
  const [first] = victim.files;
  if (!first) return;
  const object = await findObject(path.join(main.dataDir, 'library'), first.bytes);
  if (object === null) {
    record.trouble('library', 'the object of a registered file is not there');
    return;
  }
  const { atime, mtime } = await stat(object);
  await writeOver(object, altered(first.bytes), atime, mtime);
  const from = performance.now();
  try {
    const reply = await sendOnce(main, `/measurements/${victim.id}/files/0`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const whole = reply.status === 200 && reply.body.length === first.bytes.length;
    record.promise(
      served,
      !whole && [200, 409].includes(reply.status),
      `a damaged file was answered with ${reply.status} and ${reply.body.length} bytes`,
    );
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    if (!record.wasAway(from))
      record.promise(served, error.status === 200, `a damaged file broke off with ${error.status}`);
  }
  await writeOver(object, first.bytes, atime, mtime);
  await record.attempt('damaged file put right', async () => {
    const asked = await sendOnce(main, `/api/v4/measurements/${victim.id}/verify`, {
      method: 'POST',
      window: true,
      body: '{}',
    });
    record.expect(asked, from, 200, 201, 202, 409);
    if (asked.status === 409) return;
    await jobEnds(world, (JSON.parse(asked.body.toString()) as { readonly id: number }).id, victim.id);
    const again = await sendOnce(main, `/measurements/${victim.id}/files/0`, {
      headers: { authorization: `Bearer ${token}` },
    });
    record.expect(again, from, 200);
    record.promise(served, again.body.equals(first.bytes), 'a file that was put right has other bytes');
  });
}

function altered(bytes: Buffer): Buffer {
  const other = Buffer.from(bytes);
  const at = randomInt(other.length);
  other[at] = (other[at] ?? 0) ^ 0x40;
  return other;
}

async function writeOver(file: string, bytes: Buffer, atime: Date, mtime: Date): Promise<void> {
  await chmod(file, 0o600);
  await writeFile(file, bytes, { flag: 'r+' });
  await utimes(file, atime, mtime);
}

async function findObject(library: string, bytes: Buffer): Promise<string | null> {
  for (const entry of await readdir(library, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (!entry.isFile()) continue;
    // Removed together with their measurements meanwhile.
    const content = await readFile(file).catch(() => null);
    if (content?.equals(bytes)) return file;
  }
  return null;
}

/** Kills one of the services and restarts it. */
export async function killOne(world: World, which: 'main' | 'either'): Promise<void> {
  const victim = which === 'main' ? world.main : oneOf([world.main, world.main, world.other]);
  await victim.killAndStart();
  world.record.count(`${victim.name} killed`);
}
