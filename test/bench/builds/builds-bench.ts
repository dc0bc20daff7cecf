import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isBuildStale } from '../build-state.ts';
import { compileClient, runClient, type Load, type Run } from '../clients.ts';
import { writeEventBodies } from '../errors/event-bodies.ts';
import { writeFiles, type FileSet } from '../fixture/files.ts';
import type { Options, Say } from '../options.ts';
import { loopDelayOf } from '../servers/loop-delay.ts';
import { startBuild, type Build } from './build.ts';

/** Setup of the goals: both builds run, but only one works at a time. */
export interface BuildsBench {
  readonly options: Options;
  /** This checkout's build, and the other. */
  readonly now: Build;
  readonly before: Build;
  /** The other checkout. */
  readonly besideCheckout: string;
  readonly sets: { readonly single: FileSet; readonly small: FileSet; readonly many: FileSet };
  readonly namesOf: (set: FileSet) => readonly string[];
  /** Compressed envelopes whose event has 50 KB, and 5 KB. */
  readonly largeEvents: readonly string[];
  readonly smallEvents: readonly string[];
  /** Folder for fetched files, and the file with the token for them. */
  readonly into: string;
  readonly tokenFile: string;
  client(build: Build, path: string, load: Omit<Load, 'port' | 'path'>): Promise<Run>;
  loopDelay(): Promise<number>;
  stop(): Promise<void>;
}

/** Writes the fixtures below a folder and starts both builds. */
export async function startBuildsBench(dir: string, options: Options, say: Say): Promise<BuildsBench> {
  if (isBuildStale()) throw new Error('The build is older than the sources: run "npm run build" first.');
  const besideCheckout = options.beside ?? '';
  const root = path.join(dir, 'root');
  mkdirSync(root, { recursive: true });
  const mebibyte = 1024 * 1024;
  const sets = {
    single: { name: 'single', count: 1, size: (options.quick ? 128 : 1024) * mebibyte, sparse: false },
    small: { name: 'small', count: 2000, size: 100 * 1024, sparse: false },
    many: { name: 'many', count: 10_000, size: 10 * 1024, sparse: false },
  };
  say('writing the files');
  const names = new Map<FileSet, readonly string[]>(
    Object.values(sets).map((set) => [set, writeFiles(root, set)] as const),
  );
  const program = await compileClient(dir);
  const folders = Object.keys(sets);
  say('starting both builds and registering the files');
  const now = await startBuild(
    path.resolve(import.meta.dirname, '../../..'),
    'now',
    dir,
    root,
    folders,
    options.nodeArguments,
  );
  let before: Build;
  try {
    before = await startBuild(besideCheckout, 'before', dir, root, folders, options.nodeArguments);
  } catch (error) {
    await now.service.stop();
    throw error;
  }
  const tokenFile = path.join(dir, 'token');
  writeFileSync(tokenFile, `${now.token}\n`, { mode: 0o600 });
  return {
    options,
    now,
    before,
    besideCheckout,
    sets,
    namesOf: (set) => names.get(set) ?? [],
    largeEvents: writeEventBodies(path.join(dir, 'large'), 50_000),
    smallEvents: writeEventBodies(path.join(dir, 'small-events'), 5000),
    into: path.join(dir, 'into'),
    tokenFile,
    client: (build, requestPath, load) => runClient(program, { port: build.service.port, path: requestPath, ...load }),
    loopDelay: async () => loopDelayOf(`http://127.0.0.1:${now.service.port}`, now.token),
    stop: async () => {
      for (const build of [now, before]) await build.service.stop();
    },
  };
}
