import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { createEmptyDatabase, type TestDatabase } from '../../service/postgres/database.ts';
import { commandLine, type CommandLine } from '../command-line.ts';

/** A command line with the settings of a facility, and an empty database for each test. */
export function useFacility() {
  const scene = {} as { cli: CommandLine; database: TestDatabase; environment: Record<string, string> };

  beforeEach(async () => {
    scene.database = await createEmptyDatabase();
    scene.cli = await commandLine();
    const [library, key, measured] = ['library', 'shared.key', 'measured'].map((name) =>
      path.join(scene.cli.dir, name),
    ) as [string, string, string];
    await mkdir(library);
    await mkdir(measured);
    await writeFile(path.join(measured, 'trace.bin'), randomBytes(3_000_000));
    await writeFile(key, randomBytes(32));
    scene.environment = {
      BENCHPORT_DATABASE_URL: scene.database.url,
      BENCHPORT_LIBRARY_DIR: library,
      BENCHPORT_SECRET_KEY_FILE: key,
      BENCHPORT_BASE_URL: 'http://bench.example:7420',
    };
  });
  afterEach(async () => {
    await scene.cli.end();
    await scene.database.remove();
  });

  return scene;
}
