import { setTimeout } from 'node:timers/promises';
import { HttpRequestError } from '../../service/http-client/http-request-error.ts';
import { resolveWithin } from '../../service/http-client/server-url.ts';
import { CommandError } from '../support/terminal.ts';
import type { Bytes } from './bytes.ts';
import type { Manifest } from './manifest-lines.ts';
import type { Answer, SendRequest } from './upload-requests.ts';

const maxFailures = 20;
const maxPauseMs = 30_000;
const lookEveryMs = 300;
const maySucceedLater: ReadonlySet<number> = new Set([408, 423, 425, 429, 500, 502, 503, 504]);

export interface UploadTarget {
  /** Null for an archive that comes without one. */
  readonly manifest: Manifest | null;
  /** Without a trailing slash. */
  readonly server: URL;
  readonly id: string;
  readonly title: string;
  readonly project: string | null;
}

/**
 * Uploads an archive and waits until it is registered. It goes on where an earlier call ended, and
 * after failures of the network or the server.
 *
 * @param onSent told how many bytes the server has.
 * @throws CommandError when the server refuses it, or does not answer for long.
 */
export async function sendUpload(
  send: SendRequest,
  target: UploadTarget,
  bytes: Bytes,
  signal: AbortSignal,
  onSent: (bytesDone: number) => void,
): Promise<{ readonly wasThere: boolean }> {
  const { manifest } = target;
  const address = await retried(signal, async () =>
    manifest === null ? create(send, target, bytes.length, signal) : announce(send, target, manifest, signal),
  );
  if (address === null) return { wasThere: true };
  let offset = -1;
  let failures = 0;
  while (offset < bytes.length) {
    const before = offset;
    try {
      offset = await offsetOf(send, address, signal);
      onSent(offset);
      if (offset < bytes.length) offset = await append(send, address, bytes, offset, signal, onSent);
    } catch (error) {
      failures = offset > before ? 1 : failures + 1;
      await pauseOrThrow(error, failures, signal);
    }
  }
  onSent(bytes.length);
  await registered(send, address, signal);
  return { wasThere: false };
}

/** @returns the address of the upload; null when the server has these files already. */
async function announce(
  send: SendRequest,
  target: UploadTarget,
  manifest: Manifest,
  signal: AbortSignal,
): Promise<URL | null> {
  const { server, id, title, project } = target;
  const url = new URL(`${server.href.replace(/\/$/, '')}/api/v4/measurements/uploads`);
  const head = { id, title, ...(project === null ? {} : { project }) };
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: manifest(head),
  } as const;
  const answer = await send(url, request, signal);
  if (answer.status !== 200 && answer.status !== 201) throw refusal(answer);
  if (answer.body['state'] === 'available') return null;
  return resolveWithin(server, answer.headers.location ?? '');
}

async function create(send: SendRequest, target: UploadTarget, length: number, signal: AbortSignal): Promise<URL> {
  const { server, id, title, project } = target;
  const pairs = { id, title, filename: 'archive.zip', ...(project === null ? {} : { project }) };
  const metadata = Object.entries(pairs).map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`);
  const headers = { 'upload-length': length, 'upload-metadata': metadata.join(','), 'content-length': 0 };
  const url = new URL(`${server.href.replace(/\/$/, '')}/api/v4/measurements/uploads`);
  const answer = await send(url, { method: 'POST', headers }, signal);
  const { location } = answer.headers;
  // Of an upload that an earlier call began.
  if (location !== undefined && (answer.status === 201 || answer.status === 409))
    return resolveWithin(server, location);
  throw refusal(answer);
}

async function offsetOf(send: SendRequest, address: URL, signal: AbortSignal): Promise<number> {
  const answer = await send(address, { method: 'HEAD' }, signal);
  if (answer.status !== 200) throw refusal(answer);
  return offsetIn(answer);
}

async function append(
  send: SendRequest,
  address: URL,
  bytes: Bytes,
  offset: number,
  signal: AbortSignal,
  onSent: (bytesDone: number) => void,
): Promise<number> {
  const headers = {
    'upload-offset': offset,
    'content-type': 'application/offset+octet-stream',
    'content-length': bytes.length - offset,
  };
  const body = counted(bytes.from(offset), offset, onSent);
  const answer = await send(address, { method: 'PATCH', headers, body }, signal);
  if (answer.status !== 204) throw refusal(answer);
  return offsetIn(answer);
}

async function* counted(
  chunks: AsyncIterable<Buffer>,
  from: number,
  onSent: (bytesDone: number) => void,
): AsyncGenerator<Buffer> {
  let at = from;
  for await (const chunk of chunks) {
    yield chunk;
    at += chunk.length;
    onSent(at);
  }
}

function offsetIn({ headers }: Answer): number {
  const offset = Number(headers['upload-offset']);
  if (!Number.isSafeInteger(offset) || offset < 0) throw new CommandError('The server does not say how much it has.');
  return offset;
}

async function registered(send: SendRequest, address: URL, signal: AbortSignal): Promise<void> {
  for (;;) {
    const state = await retried(signal, async () => {
      const answer = await send(address, { method: 'GET' }, signal);
      if (answer.status !== 200) throw refusal(answer);
      return answer.body;
    });
    if (state['state'] === 'available') return;
    if (state['state'] === 'failed') throw new CommandError(textIn(state, 'problem'));
    await setTimeout(lookEveryMs, undefined, { signal });
  }
}

async function retried<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      await pauseOrThrow(error, failures, signal);
    }
  }
}

/** An answer that may be another one later. */
class LaterError extends Error {
  readonly afterMs: number;

  constructor(message: string, afterMs: number) {
    super(message);
    this.afterMs = afterMs;
  }
}

async function pauseOrThrow(failure: unknown, failures: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (failure instanceof CommandError) throw failure;
  if (failure instanceof HttpRequestError) throw new CommandError(failure.message);
  const reason = failure instanceof Error ? failure.message : String(failure);
  if (failures >= maxFailures)
    throw new CommandError(`The upload stopped: ${reason}. Run the same command again to go on.`);
  const pauseMs = Math.max(failure instanceof LaterError ? failure.afterMs : 0, 250 * 2 ** Math.min(failures, 7));
  await setTimeout(Math.min(maxPauseMs, pauseMs), undefined, { signal }).catch(() => signal.throwIfAborted());
}

function textIn(body: Answer['body'], member: string): string {
  const value = body[member];
  return typeof value === 'string' ? value : '';
}

/** The error for an answer other than the expected one. */
function refusal({ status, headers, body }: Answer): Error {
  const detail = textIn(body, 'detail') || textIn(body, 'message');
  const isOffset = status === 409 && headers['upload-offset'] !== undefined;
  if (isOffset || maySucceedLater.has(status) || textIn(body, 'type').endsWith(':upload-taken'))
    return new LaterError(
      `the server answered ${status} ${detail}`.trim(),
      1000 * (Number(headers['retry-after']) || 0),
    );
  return new CommandError(detail === '' ? `The server answered ${status}.` : detail);
}
