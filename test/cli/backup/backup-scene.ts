import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from 'vitest';
import { commandLine, type CommandLine } from '../command-line.ts';

export const run = promisify(execFile);

/** A command line with two measurements, and a place for their backup. */
export function useBackup() {
  const scene = {} as { cli: CommandLine; token: string; backup: string };

  beforeAll(async () => {
    scene.cli = await commandLine();
    await scene.cli.ok(['user', 'create', 'alice', '--admin']);
    const source = path.join(scene.cli.dir, 'run 1');
    await mkdir(path.join(source, 'raw'), { recursive: true });
    await writeFile(path.join(source, 'note.txt'), 'a note\n');
    await writeFile(path.join(source, 'raw', 'trace.bin'), Buffer.alloc(3_000_000, 7));
    await scene.cli.ok(['measurement', 'register', source, '--id', 'copied', '--copy']);
    await scene.cli.ok(['measurement', 'register', source, '--id', 'referenced']);
    scene.token = await scene.cli.ok([
      'token',
      'create',
      '--user',
      'alice',
      '--name',
      'bench',
      '--scopes',
      'read_measurement',
    ]);
    scene.backup = path.join(scene.cli.dir, 'backup.zip');
  });
  afterAll(() => scene.cli.end());

  const restored = (name: string): string => path.join(scene.cli.dir, name);

  return Object.assign(scene, { restored });
}
