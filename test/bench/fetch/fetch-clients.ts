import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { isBuildStale } from '../build-state.ts';
import type { Run } from '../clients.ts';

const execute = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../../..');
const built = path.join(root, 'out/service/cli.js');

/** Files of one measurement on one server. */
export interface Wanted {
  readonly baseUrl: string;
  readonly measurementId: string;
  readonly names: readonly string[];
  readonly bytes: number;
  readonly tokenFile: string;
  readonly token: string;
}

/** A program that fetches into an empty folder. */
export type FetchClient = (
  wanted: Wanted,
  folder: string,
) => { readonly command: string; readonly args: readonly string[] };

/** The measured program of ours: the build if it is fresh. */
export function ownProgram(): string {
  return existsSync(built) && !isBuildStale() ? built : path.join(root, 'src-main/cli/main.ts');
}

/**
 * Our command line: by manifest, with every byte verified, journalled so that it could resume after
 * a kill.
 *
 * @param program its file.
 */
export const benchport =
  (connections: number, program = ownProgram()): FetchClient =>
  ({ baseUrl, measurementId, tokenFile }, folder) => ({
    command: process.execPath,
    args: [
      program,
      'download',
      `${baseUrl}/measurements/${measurementId}`,
      '--token-file',
      tokenFile,
      '--to',
      folder,
      '--connections',
      String(connections),
    ],
  });

/** aria2 with several connections for one file. @param sha256 the expected digest; null: none. */
export const aria2OneFile =
  (connections: number, sha256: string | null): FetchClient =>
  (wanted, folder) => ({
    command: 'aria2c',
    args: [
      '-q',
      '-d',
      folder,
      `-x${connections}`,
      `-s${connections}`,
      '-o',
      wanted.names[0] ?? '',
      ...(sha256 === null ? [] : [`--checksum=sha-256=${sha256}`]),
      `--header=Authorization: Bearer ${wanted.token}`,
      addressOf(wanted, 0),
    ],
  });

/** aria2 with several files at once. */
export const aria2ManyFiles =
  (atOnce: number): FetchClient =>
  (wanted, folder) => {
    const list = `${folder}.list`;
    writeFileSync(list, wanted.names.map((name, index) => `${addressOf(wanted, index)}\n  out=${name}\n`).join(''));
    return {
      command: 'aria2c',
      args: ['-q', '-d', folder, `-j${atOnce}`, '-i', list, `--header=Authorization: Bearer ${wanted.token}`],
    };
  };

export const curlOneFile: FetchClient = (wanted, folder) => ({
  command: 'curl',
  args: [
    '-sSf',
    '-o',
    path.join(folder, wanted.names[0] ?? ''),
    '-H',
    `Authorization: Bearer ${wanted.token}`,
    addressOf(wanted, 0),
  ],
});

/** curl with several files at once. */
export const curlManyFiles =
  (atOnce: number): FetchClient =>
  (wanted, folder) => {
    const list = `${folder}.list`;
    writeFileSync(
      list,
      wanted.names
        .map((name, index) => `url = "${addressOf(wanted, index)}"\noutput = "${path.join(folder, name)}"\n`)
        .join(''),
    );
    return {
      command: 'curl',
      args: [
        '-sSf',
        '--no-progress-meter',
        '-Z',
        '--parallel-max',
        String(atOnce),
        '-H',
        `Authorization: Bearer ${wanted.token}`,
        '-K',
        list,
      ],
    };
  };

/** Runs a program into a new folder, and checks that everything was fetched. */
export async function timeFetch(client: FetchClient, wanted: Wanted, folder: string): Promise<Run> {
  mkdirSync(folder, { recursive: true });
  const { command, args } = client(wanted, folder);
  // Earlier writes are on disk before the clock starts.
  await execute('sync');
  const started = performance.now();
  const child = spawn(command, [...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  const seconds = (performance.now() - started) / 1000;
  if (code !== 0) throw new Error(`${command} ended with ${code}`);
  const bytes = sizeBelow(folder);
  if (bytes !== wanted.bytes) throw new Error(`${command} left ${bytes} bytes, and not ${wanted.bytes}`);
  const took = { p50: seconds * 1000, p95: seconds * 1000, p99: seconds * 1000, max: seconds * 1000 };
  return { bytes, requests: wanted.names.length, seconds, firstByte: took, total: took };
}

function addressOf({ baseUrl, measurementId }: Wanted, index: number): string {
  return `${baseUrl}/measurements/${measurementId}/files/${index}`;
}

/** Bytes of the wanted files: files of the programs' own have other names. */
function sizeBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.bin'))
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);
}
