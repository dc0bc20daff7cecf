import Database from 'better-sqlite3';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { run, useBackup } from './backup-scene.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const scene = useBackup();
const { restored } = scene;

describe('backup and restore', () => {
  test('a backup made beside a running service is a complete data directory', async () => {
    const service = await scene.cli.serve();
    const made = JSON.parse(await scene.cli.ok(['backup', scene.backup, '--json'])) as unknown;
    expect(made).toMatchObject({ file: scene.backup, measurements: 2, objects: 2, left_out: [] });
    expect((await stat(scene.backup)).mode & 0o777).toBe(0o600);
    await run('unzip', ['-tq', scene.backup]);
    service.kill('SIGTERM');
    await service.ended;

    const told = JSON.parse(
      await scene.cli.ok(['restore', scene.backup, '--data', restored('again'), '--json']),
    ) as unknown;
    expect(told).toMatchObject({ data: restored('again'), measurements: 2, format: 1 });
    const second = await scene.cli.serve(['--data', restored('again')]);
    const headers = { authorization: `Bearer ${scene.token}` };
    const file = await fetch(`${second.url}/measurements/copied/files/1`, { headers });
    expect(file.status).toBe(200);
    expect(Buffer.from(await file.arrayBuffer()).equals(Buffer.alloc(3_000_000, 7))).toBe(true);
    expect((await fetch(`${second.url}/measurements/referenced/files/0`, { headers })).status).toBe(200);
    expect(await scene.cli.ok(['doctor', '--data', restored('again'), '--port', '0'])).not.toContain('FAILED');
    second.kill('SIGTERM');
    await second.ended;
  });

  test('in a folder each backup is named by its time, and the oldest are removed', async () => {
    const folder = path.join(scene.cli.dir, 'many');
    await mkdir(folder);
    await writeFile(path.join(folder, 'benchport-2020-01-01-000000.zip'), 'of somebody else');
    // Its name looks like a backup, but another program wrote it.
    await writeFile(path.join(folder, 'results.zip'), 'of the user');
    const database = new Database(path.join(scene.cli.dataDir, 'benchport.db'));
    database
      .prepare("INSERT INTO settings (key, value) VALUES ('backup_files', ?)")
      .run(JSON.stringify([path.join(folder, 'results.zip')]));
    database.close();
    const made: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { stdout } = await scene.cli.runHere(['backup', '--into', folder, '--keep', '2', '--json']);
      made.push((JSON.parse(stdout) as { file: string }).file);
    }
    expect((await readdir(folder)).toSorted()).toEqual(
      [
        'benchport-2020-01-01-000000.zip',
        'results.zip',
        ...made.slice(1).map((file) => path.basename(file)),
      ].toSorted(),
    );
    expect(await scene.cli.runHere(['backup', '--keep', '2', path.join(scene.cli.dir, 'x.zip')])).toMatchObject({
      status: 2,
    });
    expect(await scene.cli.runHere(['backup'])).toMatchObject({
      status: 2,
      stderr: 'benchport: Name either a new file, or a folder with --into.\n',
    });
  });

  test('existing files are never overwritten', async () => {
    const before = await readFile(scene.backup);
    expect(await scene.cli.runHere(['backup', scene.backup])).toMatchObject({
      status: 1,
      stderr: `benchport: ${scene.backup} already exists. Name another file.\n`,
    });
    expect((await readFile(scene.backup)).equals(before)).toBe(true);
    const again = await scene.cli.runHere(['restore', scene.backup]);
    expect(again).toMatchObject({ status: 1 });
    expect(again.stderr).toContain(`${scene.cli.dataDir} already contains data`);
    expect(await scene.cli.ok(['measurement', 'list', '--json'])).toContain('copied');
  });

  test('a missing folder is reported', async () => {
    const { status, stderr } = await scene.cli.runHere(['backup', path.join(scene.cli.dir, 'gone', 'b.zip')]);
    expect(status).toBe(1);
    expect(stderr).toBe(`benchport: There is no folder ${path.join(scene.cli.dir, 'gone')}. Create it first.\n`);
    const inFile = await scene.cli.runHere(['backup', path.join(scene.backup, 'b.zip')]);
    expect(inFile).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^benchport: The backup cannot be written: ENOTDIR/),
    });
    expect(
      (await scene.cli.runHere(['restore', path.join(scene.cli.dir, 'nothing.zip'), '--data', restored('x')])).stderr,
    ).toContain('nothing.zip');
  });
});
