import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mayMount } from '../../may-mount.ts';
import { mustRun, run } from '../../run-program.ts';
import { useWorld } from '../../use-service.ts';
import { startDavWorld } from './dav-world.ts';

const world = useWorld(startDavWorld);
let dir = '';
beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-dav-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

describe('rclone', () => {
  const rclone = async (...args: readonly string[]) =>
    mustRun('rclone', ['--config', path.join(dir, 'none'), ...args], {
      env: {
        RCLONE_CONFIG_BENCH_TYPE: 'webdav',
        RCLONE_CONFIG_BENCH_URL: `${world.url}/dav`,
        RCLONE_CONFIG_BENCH_VENDOR: 'other',
        RCLONE_CONFIG_BENCH_USER: 'alice',
        RCLONE_CONFIG_BENCH_PASS: (await mustRun('rclone', ['obscure', world.alice])).trim(),
      },
    });

  test('lists, copies and compares a measurement', async () => {
    expect((await rclone('lsf', '-R', '--files-only', 'bench:run-1')).trim().split('\n').toSorted()).toEqual(
      [
        'a.txt',
        'raw-notes.txt',
        'raw.txt',
        'raw/deep/ä&<"#%.bin',
        'raw/scan 1.csv',
        'raw/scan 2.csv',
        'raw0',
        'with/-/dash',
      ].toSorted(),
    );
    await rclone('copy', 'bench:run-1', path.join(dir, 'copied'));
    expect(await readFile(path.join(dir, 'copied', 'raw', 'scan 1.csv'), 'utf8')).toBe('x,y\n1,2\n');
    await rclone('check', '--download', 'bench:run-1', path.join(dir, 'copied'));
    expect(await rclone('cat', '--offset', '4', '--count', '3', 'bench:run-1/raw/scan 2.csv')).toBe('3,4');
  });

  test('can change nothing', async () => {
    await writeFile(path.join(dir, 'new.txt'), 'new');
    await expect(rclone('copy', '--retries', '1', path.join(dir, 'new.txt'), 'bench:run-1')).rejects.toThrow('405');
    await expect(rclone('deletefile', '--retries', '1', 'bench:run-1/a.txt')).rejects.toThrow('405');
    expect(await world.list('/dav/run-1/')).toHaveLength(7);
  });
});

test('cadaver lists and gets', async () => {
  await writeFile(path.join(dir, '.netrc'), `machine 127.0.0.1 login alice password ${world.alice}\n`, { mode: 0o600 });
  const target = path.join(dir, 'by-cadaver.csv');
  const out = await run('cadaver', [`${world.url}/dav/run-1/`], {
    input: `ls\ncd raw\nget "scan 1.csv" ${target}\ndelete "scan 1.csv"\nquit\n`,
    env: { HOME: dir },
    cwd: dir,
  });
  expect(out.stdout).toContain('Coll:   raw');
  expect(out.stdout).toContain('405 Method Not Allowed');
  expect(await readFile(target, 'utf8')).toBe('x,y\n1,2\n');
});

test('curl lists', async () => {
  const xml = await mustRun('curl', [
    '-fsS',
    '-u',
    `alice:${world.alice}`,
    '-X',
    'PROPFIND',
    '-H',
    'Depth: 1',
    `${world.url}/dav/run-1/raw/`,
  ]);
  expect(xml.match(/<D:href>/g)).toHaveLength(4);
});

test('GVfs, with which desktops open folders, mounts it and reads', async () => {
  const at = `dav://alice@${new URL(world.url).host}/dav`;
  const script = [
    'gio mount "$AT"',
    'gio list "$AT/run-1/raw"',
    'gio cat "$AT/run-1/raw/scan%201.csv"',
    'gio info -a standard::size "$AT/run-1/raw/deep/ä&<\\"%23%25.bin"',
    'gio copy "$AT/run-1/a.txt" "$TARGET"',
    'gio remove "$AT/run-1/a.txt" 2>&1 || gio mount -u "$AT"',
  ].join(' && ');
  const target = path.join(dir, 'by-gvfs.txt');
  const { status, stdout } = await run('dbus-run-session', ['--', 'sh', '-c', script], {
    input: `${world.alice}\n`,
    env: { AT: at, TARGET: target, HOME: dir, XDG_RUNTIME_DIR: dir, GIO_USE_VFS: 'gvfs', GVFS_DISABLE_FUSE: '1' },
  });
  expect([status, stdout]).toEqual([0, expect.stringContaining('deep\nscan 1.csv\nscan 2.csv\nx,y\n1,2\n')]);
  expect(stdout).toContain('standard::size: 5000');
  expect(stdout).toContain('Method Not Allowed');
  expect(await readFile(target, 'utf8')).toBe('first');
});

const hasFuse = mayMount && existsSync('/dev/fuse');

if (hasFuse)
  test('davfs2 mounts it, and a program reads from the middle of a file', async () => {
    const point = path.join(dir, 'mounted');
    await mkdir(point);
    const secrets = path.join(dir, 'secrets');
    await writeFile(secrets, `${world.url}/dav/ alice ${world.alice}\n`, { mode: 0o600 });
    const conf = path.join(dir, 'davfs2.conf');
    const cache = path.join(dir, 'cache');
    // Kernels since 6.x read directories in pieces larger than its default buffer.
    // The daemon gives up root, and keeps its cache as a user of its own.
    await mkdir(cache);
    await chmod(dir, 0o755);
    await chmod(cache, 0o777);
    await writeFile(conf, `secrets ${secrets}\ncache_dir ${cache}\nuse_locks 0\nask_auth 0\nbuf_size 64\n`);
    await mustRun('mount.davfs', ['-o', `ro,conf=${conf}`, `${world.url}/dav/`, point]);
    try {
      expect(await mustRun('ls', [path.join(point, 'run-1', 'raw')])).toBe('deep\nscan 1.csv\nscan 2.csv\n');
      expect(await mustRun('tail', ['-c', '4', path.join(point, 'run-1', 'raw', 'scan 2.csv')])).toBe('3,4\n');
      expect((await stat(path.join(point, 'run-1', 'raw', 'deep', 'ä&<"#%.bin'))).size).toBe(5000);
      expect((await run('touch', [path.join(point, 'run-1', 'new')])).stderr).toContain('Read-only');
    } finally {
      await mustRun('umount', [point]);
    }
  });
