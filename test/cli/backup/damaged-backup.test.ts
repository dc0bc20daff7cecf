import { existsSync } from 'node:fs';
import { chmod, mkdir, open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { migrations } from '../../../src-main/service/database/migrations/all.ts';
import { run, useBackup } from './backup-scene.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const scene = useBackup();
const { restored } = scene;
const newest = migrations.at(-1)?.number ?? 0;

beforeAll(async () => void (await scene.cli.ok(['backup', scene.backup])));

/** Names in a folder besides the result: no partial file may remain. */
async function leftovers(): Promise<readonly string[]> {
  return (await readdir(scene.cli.dir)).filter((name) => name.startsWith('.benchport-'));
}

describe('backup and restore', () => {
  test('a damaged, cut, foreign or newer backup restores nothing and says why', async () => {
    const bytes = await readFile(scene.backup);
    const damages: readonly [string, Buffer, RegExp][] = [
      // The manifest is the last member, right before the directory.
      [
        'flipped',
        flip(bytes, bytes.lastIndexOf(Buffer.alloc(1000, 7)) + 10),
        /is damaged: its checksum is not the one/,
      ],
      ['cut', bytes.subarray(0, bytes.length - 400), /is not a backup, or it is damaged/],
      ['text', Buffer.from('hello'), /is not a backup, or it is damaged/],
      ['newer', swap(bytes, `"database_version": ${newest}`, '"database_version": 9'), /was made by a newer Benchport/],
    ];
    for (const [name, content, message] of damages) {
      const file = path.join(scene.cli.dir, `${name}.zip`);
      await writeFile(file, content);
      const { status, stderr } = await scene.cli.runHere(['restore', file, '--data', restored(`from-${name}`)]);
      expect([name, status, stderr]).toEqual([name, 1, expect.stringMatching(message)]);
      await expect(stat(restored(`from-${name}`))).rejects.toThrow('ENOENT');
    }
    const foreign = path.join(scene.cli.dir, 'foreign.zip');
    await run('python3', ['-m', 'zipfile', '-c', foreign, path.join(scene.cli.dir, 'run 1', 'note.txt')]);
    expect((await scene.cli.runHere(['restore', foreign, '--data', restored('from-foreign')])).stderr).toContain(
      'is not a backup of Benchport',
    );
    const packed = path.join(scene.cli.dir, 'packed.zip');
    const repack = `import sys, zipfile
old = zipfile.ZipFile(sys.argv[1]); new = zipfile.ZipFile(sys.argv[2], 'w', zipfile.ZIP_DEFLATED)
for name in old.namelist(): new.writestr(name, old.read(name))
new.close()`;
    await run('python3', ['-c', repack, scene.backup, packed]);
    expect((await scene.cli.runHere(['restore', packed, '--data', restored('from-packed')])).stderr).toMatch(
      /benchport\.db in .* is compressed, so it is not a valid backup/,
    );
    expect(await leftovers()).toEqual([]);
  });

  test('member names that a backup never has are refused', async () => {
    const about =
      '{"format":1,"made_at":"2026-11-21T00:00:00.000Z","program_version":"0","database_version":1,"measurements":0}';
    const dir = path.join(scene.cli.dir, 'crafted');
    await mkdir(path.join(dir, 'inner'), { recursive: true });
    await writeFile(path.join(dir, 'inner', 'benchport-backup.json'), about);
    await writeFile(path.join(dir, 'escaped'), 'x');
    const file = path.join(scene.cli.dir, 'crafted.zip');
    await run('python3', [
      '-c',
      'import sys,zipfile\nz=zipfile.ZipFile(sys.argv[1],"w")\nz.writestr("benchport-backup.json",sys.argv[2])\nz.writestr("../escaped","x")\nz.writestr("library/objects/../../escaped","x")\nz.close()',
      file,
      about,
    ]);
    const { status, stderr } = await scene.cli.runHere(['restore', file, '--data', restored('from-crafted')]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/not part of a backup|invalid relative path/);
    expect(await readdir(scene.cli.dir)).not.toContain('escaped');
    expect(await leftovers()).toEqual([]);
  });

  test('a foreign database, or one whose file names lead elsewhere, is not restored', async () => {
    const id = '../../../../tmp/benchport-x';
    const changes: readonly [string, RegExp][] = [
      [
        'CREATE TRIGGER extra AFTER INSERT ON audit_events BEGIN UPDATE users SET is_admin = 1; END',
        /it holds the trigger extra/,
      ],
      ['DROP TABLE grants', /it lacks the table grants/],
      ['ALTER TABLE users ADD COLUMN extra TEXT', /it holds the table users/],
      [`UPDATE measurements SET id = '${id}' WHERE id = 'copied'`, /a measurement is called "\.\.\/\.\.\//],
      [
        "UPDATE measurement_files SET location = '../../note.txt' WHERE measurement_id = 'copied' AND idx = 0",
        /which is not in the library/,
      ],
      [
        "UPDATE measurement_files SET path = '../note.txt' WHERE measurement_id = 'referenced' AND idx = 0",
        /could lead out of the folder/,
      ],
      [`PRAGMA user_version = ${newest + 1}`, /tables are of version/],
      ['PRAGMA user_version = 0', /tables are of version 0/],
    ];
    for (const [index, [sql, reason]] of changes.entries()) {
      const file = path.join(scene.cli.dir, `foreign-${index}.zip`);
      await writeFile(file, await withDatabase(scene.backup, sql));
      const target = restored(`from-foreign-${index}`);
      const { status, stderr } = await scene.cli.runHere(['restore', file, '--data', target]);
      expect([sql, status, stderr]).toEqual([sql, 1, expect.stringMatching(reason)]);
      expect(stderr).toContain('is not a Benchport database');
      expect(existsSync(target)).toBe(false);
    }
    expect(await leftovers()).toEqual([]);
  });

  test('overlapping members cannot fill a disk', async () => {
    const file = path.join(scene.cli.dir, 'nested.zip');
    await run('python3', ['-c', nested, scene.backup, file]);
    expect((await scene.cli.runHere(['restore', file, '--data', restored('from-nested')])).stderr).toContain(
      'contains more than its stated length',
    );
    expect(await leftovers()).toEqual([]);
  });

  test('a damaged original is left out by name, and the command fails', async () => {
    const objects = path.join(scene.cli.dataDir, 'library', 'objects');
    const [shard] = await readdir(objects);
    const [name] = await readdir(path.join(objects, shard ?? ''));
    const object = path.join(objects, shard ?? '', name ?? '');
    await chmod(object, 0o600);
    const handle = await open(object, 'r+');
    await handle.write('!', 3);
    await handle.close();
    const partial = path.join(scene.cli.dir, 'partial.zip');
    const { status, stderr } = await scene.cli.runHere(['backup', partial]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/not in the backup, because the library no longer has what was registered: copied\//);
    await run('unzip', ['-tq', partial]);
    expect(await leftovers()).toEqual([]);
  });
});

function flip(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

function swap(bytes: Buffer, from: string, to: string): Buffer {
  const copy = Buffer.from(bytes);
  copy.write(to, copy.indexOf(from));
  return copy;
}

/** The bytes of a backup with its database changed. */
async function withDatabase(file: string, sql: string): Promise<Buffer> {
  const changed = `${file}.changed`;
  const script = `import os, sqlite3, sys, zipfile
old = zipfile.ZipFile(sys.argv[1]); new = zipfile.ZipFile(sys.argv[2], 'w')
for name in old.namelist():
    data = old.read(name)
    if name == 'benchport.db':
        open(sys.argv[2] + '.db', 'wb').write(data)
        database = sqlite3.connect(sys.argv[2] + '.db')
        database.executescript(sys.argv[3]); database.commit()
        database.execute('PRAGMA journal_mode = DELETE'); database.close()
        data = open(sys.argv[2] + '.db', 'rb').read(); os.remove(sys.argv[2] + '.db')
    new.writestr(name, data)
new.close()`;
  await run('python3', ['-c', script, file, changed, sql]);
  return readFile(changed);
}

/**
 * Builds a backup of twelve nested members, each containing the next: twelve times the size of the
 * file.
 */
const nested = `import hashlib, struct, sys, zipfile, zlib
about = zipfile.ZipFile(sys.argv[1]).read('benchport-backup.json')
def local(name, data): return struct.pack('<IHHHHHIIIHH', 0x04034b50, 20, 0, 0, 0, 33, zlib.crc32(data), len(data), len(data), len(name), 0) + name
def listed(name, data, at): return struct.pack('<IHHHHHHIIIHHHHHII', 0x02014b50, 20, 20, 0, 0, 0, 33, zlib.crc32(data), len(data), len(data), len(name), 0, 0, 0, 0, 0, at) + name
members, data = [], b'x' * 100000
for _ in range(12):
    digest = hashlib.sha256(data).hexdigest()
    name = f'library/objects/{digest[:2]}/{digest}'.encode()
    members.append((name, data)); data = local(name, data) + data
first = local(b'benchport-backup.json', about) + about
directory, end = listed(b'benchport-backup.json', about, 0), len(first) + len(data)
for name, inner in reversed(members): directory += listed(name, inner, end - len(inner) - len(local(name, inner)))
open(sys.argv[2], 'wb').write(first + data + directory + struct.pack('<IHHHHIIH', 0x06054b50, 0, 0, 13, 13, len(directory), end, 0))`;
