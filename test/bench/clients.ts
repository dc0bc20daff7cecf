import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream, statSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';

const execute = promisify(execFile);

export interface Latency {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/**
 * Results of one run of a client. Latencies are in milliseconds, to the first and to the last byte
 * of the body.
 */
export interface Run {
  readonly bytes: number;
  readonly requests: number;
  readonly seconds: number;
  readonly firstByte: Latency;
  readonly total: Latency;
}

/** The requests of a run, and their target. */
export interface Target {
  readonly port: number;
  readonly path: string;
  readonly authorization?: string;
}

export interface Load extends Target {
  /** Paths that are requested in turn instead of the one. */
  readonly paths?: readonly string[];
  readonly connections?: number;
  readonly requests?: number;
  readonly seconds?: number;
  /** The expected length of every body. */
  readonly expect?: number;
  /**
   * Ranges of one size: always the same one, or random ones of a body at this many positions (0:
   * anywhere).
   */
  readonly ranges?:
    | { readonly size: number; readonly first: number }
    | { readonly size: number; readonly of: number; readonly positions: number };
  readonly seed?: number;
  /** Forms posted instead of GET, each by a separate connection. */
  readonly forms?: readonly string[];
  /** Files posted instead of GET, in turn; 32 times "@" in a file is replaced by a new id. */
  readonly bodies?: readonly string[];
  /** Requests a second over all connections; the time of each counts from its due time. */
  readonly rate?: number;
  /** The forms end with a refresh token, and each response gives the next one. */
  readonly chain?: boolean;
  /** Text that every response must contain. */
  readonly say?: string;
  /** Bytes a second and connection. */
  readonly pace?: number;
  /** Pins the client to one core. */
  readonly core?: number;
}

/** Compiles client.c into a folder. @returns its path */
export async function compileClient(dir: string): Promise<string> {
  const program = path.join(dir, 'client');
  await execute('cc', ['-O2', '-o', program, path.join(import.meta.dirname, 'client.c')]);
  return program;
}

/** Runs the epoll client; a wrong status, length or range is an error. */
export async function runClient(program: string, load: Load): Promise<Run> {
  const args: string[] = [];
  const add = (name: string, value: string | number | undefined) => {
    if (value !== undefined) args.push(`--${name}`, String(value));
  };
  add('port', load.port);
  for (const one of load.paths ?? [load.path]) add('path', one);
  add('authorization', load.authorization);
  add('connections', load.connections);
  add('requests', load.requests);
  add('seconds', load.seconds);
  add('expect', load.expect);
  add('range-size', load.ranges?.size);
  if (load.ranges && 'first' in load.ranges) add('range-first', load.ranges.first);
  else if (load.ranges) {
    add('range-of', load.ranges.of);
    add('positions', load.ranges.positions);
  }
  add('seed', load.seed);
  add('pace', load.pace);
  for (const form of load.forms ?? []) add('form', form);
  for (const body of load.bodies ?? []) add('body', body);
  add('rate', load.rate);
  if (load.chain === true) add('chain', 1);
  add('say', load.say);
  const command = load.core === undefined ? program : 'taskset';
  const { stdout } = await execute(
    command,
    load.core === undefined ? args : ['-c', String(load.core), program, ...args],
  );
  return JSON.parse(stdout) as Run;
}

/** Fetches one body with curl, and discards it. */
export async function runCurl(load: Target & Pick<Load, 'expect'>): Promise<Run> {
  const format = '%{http_code} %{size_download} %{time_total} %{time_starttransfer}';
  const header = load.authorization === undefined ? [] : ['-H', `Authorization: ${load.authorization}`];
  const { stdout } = await execute('curl', [
    '-sS',
    '-o',
    '/dev/null',
    '-w',
    format,
    ...header,
    `http://127.0.0.1:${load.port}${load.path}`,
  ]);
  const [status = 0, bytes = 0, seconds = 0, first = 0] = stdout.split(' ').map(Number);
  if (status !== 200 || (load.expect !== undefined && bytes !== load.expect))
    throw new Error(`curl got ${status} with ${bytes} bytes for ${load.path}`);
  return { bytes, requests: 1, seconds, firstByte: same(first * 1000), total: same(seconds * 1000) };
}

/** Length and SHA-256 of a body, or of a range of it. */
export async function bodyDigest(
  load: Target,
  range?: string,
): Promise<{ readonly status: number; readonly bytes: number; readonly sha256: string }> {
  const response = await fetchBody(load, range);
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { status: response.statusCode ?? 0, bytes, sha256: hash.digest('hex') };
}

/** Writes a body into a file. @returns its length */
export async function saveBody(load: Target, file: string): Promise<number> {
  const response = await fetchBody(load);
  if (response.statusCode !== 200) throw new Error(`${load.path} was answered with ${response.statusCode}`);
  await pipeline(response, createWriteStream(file, { flush: true }));
  return statSync(file).size;
}

function fetchBody(load: Target, range?: string): Promise<http.IncomingMessage> {
  const headers = {
    ...(load.authorization === undefined ? {} : { authorization: load.authorization }),
    ...(range === undefined ? {} : { range }),
  };
  return new Promise((resolve, reject) => {
    http
      .get({ host: '127.0.0.1', port: load.port, path: load.path, headers, agent: false }, resolve)
      .on('error', reject);
  });
}

function same(value: number): Latency {
  return { p50: value, p95: value, p99: value, max: value };
}
