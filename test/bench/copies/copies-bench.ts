import Database from 'better-sqlite3';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { commandLine, type CommandLine, type ServeProcess } from '../../cli/command-line.ts';
import { programEntry } from '../../service/program-entry.ts';
import { writeFiles, type FileSet } from '../fixture/files.ts';
import type { Options, Say } from '../options.ts';
import { loopDelayOf } from '../servers/loop-delay.ts';
import { residentBytes } from '../servers/server.ts';
import { startPeers, type Peers } from './peers.ts';

const mebibyte = 1024 * 1024;

/** One copy: how long it took, and what memory a sender of ours had at most. */
export interface Copied {
  readonly seconds: number;
  readonly maxResidentBytes: number;
}

/** A bench and a facility that speaks HTTPS, beside rsync over ssh and rclone over HTTPS, all on the loopback. */
export interface CopiesBench {
  readonly options: Options;
  readonly program: string;
  readonly large: FileSet;
  readonly small: FileSet;
  /** Keeps a copy of the measurement of a set for this round, until it is verified. */
  push(set: FileSet, round: number): Promise<Copied>;
  rsync(set: FileSet, round: number): Promise<Copied>;
  rsyncSynced(set: FileSet, round: number): Promise<Copied>;
  rclone(set: FileSet, round: number): Promise<Copied>;
  loopDelay(): Promise<number>;
  stop(): Promise<void>;
}

export async function startCopiesBench(dir: string, options: Options, say: Say): Promise<CopiesBench> {
  const large = { name: 'large', count: 1, size: (options.quick ? 256 : 1024) * mebibyte, sparse: false };
  const small = { name: 'small', count: options.quick ? 2000 : 10_000, size: 10 * 1024, sparse: false };
  const [bench, facility] = [await commandLine(), await commandLine()];
  let peers: Peers | null = null;
  const stop = async (): Promise<void> => {
    await Promise.all([bench.end(), facility.end(), peers?.stop()]);
  };
  try {
    await facility.ok(['user', 'create', 'alice', '--password-stdin'], 'seven lamps over 9 benches\n');
    const token = await facility.ok([
      'token',
      'create',
      '--user',
      'alice',
      '--name',
      'x',
      '--scopes',
      'write_measurement',
    ]);
    writeFileSync(path.join(bench.dir, 'token'), token);
    await bench.ok(['user', 'create', 'alice', '--admin', '--password-stdin'], 'seven lamps over 9 benches\n');
    const forMetrics = ['--user', 'alice', '--name', 'metrics', '--scopes', 'read_api'];
    const metricsToken = await bench.ok(['token', 'create', ...forMetrics]);
    for (const set of [large, small]) {
      say(`writing ${set.name}`);
      for (let round = 0; round <= options.rounds; round += 1) {
        const name = sourceOf(set, round);
        if (round === 0 || name !== set.name) writeFiles(dir, { ...set, name });
        const as = ['--id', `${set.name}-${round}`, '--owner', 'alice'];
        await bench.ok(['measurement', 'register', path.join(dir, name), ...as]);
      }
    }
    const received = await facility.serve(['--tls-self-signed']);
    const sending = await bench.serve();
    peers = await startPeers(path.join(dir, 'peers'));
    const others = peers;
    return {
      options,
      program: programEntry('command line').endsWith('.js') ? 'build' : 'sources',
      large,
      small,
      push: async (set, round) => pushed(bench, facility, { received, sending }, `${set.name}-${round}`),
      rsync: async (set, round) => others.rsync(path.join(dir, sourceOf(set, round))),
      rsyncSynced: async (set, round) => others.rsyncSynced(path.join(dir, sourceOf(set, round))),
      rclone: async (set, round) => others.rclone(path.join(dir, sourceOf(set, round))),
      loopDelay: async () => loopDelayOf(sending.url, metricsToken),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * The folder that is copied. Small files are others each round: of equal files the library keeps one,
 * and thousands that are removed make ext4 search for inodes in the next round.
 */
function sourceOf(set: FileSet, round: number): string {
  return set.count === 1 ? set.name : `${set.name}-${round}`;
}

interface Ends {
  readonly received: ServeProcess;
  readonly sending: ServeProcess;
}

async function pushed(
  bench: CommandLine,
  facility: CommandLine,
  { received, sending }: Ends,
  id: string,
): Promise<Copied> {
  const certificate = /"certificate_sha256":"([0-9a-f]{64})"/.exec(received.output().stdout)?.[1] ?? '';
  let maxResidentBytes = 0;
  const to = ['--to', received.url, '--token-file', path.join(bench.dir, 'token'), '--certificate', certificate];
  const watching = setInterval(() => {
    maxResidentBytes = Math.max(maxResidentBytes, residentBytes(sending.pid));
  }, 50);
  try {
    await bench.ok(['push', id, ...to]);
  } finally {
    clearInterval(watching);
  }
  const seconds = secondsOf(path.join(bench.dataDir, 'benchport.db'), id);
  await facility.ok(['measurement', 'remove', id]);
  return { seconds, maxResidentBytes };
}

/** From the start of the run to the end of the verification, as the service recorded them. */
function secondsOf(file: string, id: string): number {
  const database = new Database(file, { readonly: true });
  try {
    const row = database
      .prepare<[string], { started_at: number; verified_at: number }>(
        'SELECT started_at, verified_at FROM copies WHERE measurement_id = ?',
      )
      .get(id);
    return row ? (row.verified_at - row.started_at) / 1000 : Number.NaN;
  } finally {
    database.close();
  }
}
