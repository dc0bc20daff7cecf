import { afterAll, beforeAll, expect } from 'vitest';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { commandLine, type CommandLine, type Outcome } from './command-line.ts';

/** Watched folders on the command line. */
export interface CaptureScene {
  /** A new folder to watch, with files of runs. */
  watched(name: string, ...files: readonly string[]): Promise<string>;
  capture(...args: readonly string[]): Promise<Outcome>;
  /** Output with --json of a command that must succeed. */
  json<Document>(...args: readonly string[]): Promise<Document>;
}

/** A command line with alice and bob for all tests of the file that calls this. */
export function onCaptureScene(
  take: (started: { readonly cli: CommandLine; readonly scene: CaptureScene }) => void,
): void {
  let cli: CommandLine;
  beforeAll(async () => {
    cli = await commandLine();
    take({ cli, scene: captureScene(cli) });
    await cli.runHere(['user', 'create', 'alice', '--admin']);
    await cli.runHere(['user', 'create', 'bob']);
  });
  afterAll(() => cli.end());
}

function captureScene(cli: CommandLine): CaptureScene {
  const capture = async (...args: readonly string[]) => cli.runHere(['capture', ...args]);
  return {
    capture,
    watched: async (name, ...files) => {
      const folder = path.join(cli.dir, name);
      await mkdir(folder, { recursive: true });
      for (const file of files) await writeRun(path.join(folder, file));
      return folder;
    },
    json: async <Document>(...args: readonly string[]): Promise<Document> => {
      const { status, stdout, stderr } = await capture(...args, '--json');
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      return JSON.parse(stdout) as Document;
    },
  };
}

export async function writeRun(file: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, file);
}
