import type { Agent, ClientRequest, IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { parseJson } from '../common/parse-json.ts';
import { requestFailure, toHttpRequestError } from '../http-client/http-request-error.ts';
import { nodeHttp, nodeHttps } from '../http-client/node-request.ts';
import { ownerGuard } from '../http-client/outgoing-guard.ts';
import { pinnedAgent } from '../http-client/pinned-agent.ts';
import type { BodyWriter } from './bytes.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface UploadRequest {
  readonly method: 'POST' | 'HEAD' | 'PATCH' | 'GET' | 'DELETE';
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: BodyWriter;
}

/** @throws HttpRequestError, an error of the request's body, or the signal's reason. */
export type SendRequest = (url: URL, request: UploadRequest, signal: AbortSignal) => Promise<Answer>;

const silentMs = 60_000;
const answerWithinMs = 1000;
const maxAnswerBytes = 256 * 1024;

/**
 * Sends requests of tus with a token.
 *
 * @param certificate the only one that is trusted (SHA-256, hexadecimal); null for those that
 * authorities vouch for.
 */
export function uploadRequests(token: string | null, certificate: string | null): SendRequest {
  const pinned = certificate === null ? undefined : pinnedAgent({ keepAlive: true }, certificate);
  return async (url, request, signal) => {
    const credential = token === null ? {} : { authorization: `Bearer ${token}` };
    const headers = { ...credential, 'tus-resumable': '1.0.0', ...request.headers };
    return send(url, { ...request, headers }, url.protocol === 'https:' ? pinned : undefined, signal);
  };
}

async function send(url: URL, request: UploadRequest, agent: Agent | undefined, signal: AbortSignal): Promise<Answer> {
  const source: { failed?: unknown } = {};
  try {
    return await exchange(url, request, agent, signal, source);
  } catch (error) {
    signal.throwIfAborted();
    throw 'failed' in source ? source.failed : toHttpRequestError(error, url);
  }
}

async function exchange(
  url: URL,
  { method, headers, body }: UploadRequest,
  agent: Agent | undefined,
  signal: AbortSignal,
  source: { failed?: unknown },
): Promise<Answer> {
  const lookup = ownerGuard().lookupFor(url);
  const options = { method, headers, signal, lookup, timeout: silentMs, ...(agent === undefined ? {} : { agent }) };
  const outgoing = url.protocol === 'https:' ? nodeHttps().request(url, options) : nodeHttp().request(url, options);
  outgoing.on('timeout', () => outgoing.destroy(requestFailure('timed-out', url)));
  const answered = new Promise<Answer>((resolve, reject) => {
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      textOf(response).then((text) => {
        const parsed = parseJson(text);
        const content = typeof parsed === 'object' && parsed !== null ? (parsed as Answer['body']) : {};
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: content });
      }, reject);
    });
  });
  answered.catch(() => undefined);
  if (body === undefined) {
    outgoing.end();
    return answered;
  }
  let isSent = false;
  const sending = writeBody(outgoing, body, source).then(() => (isSent = true));
  try {
    // A server that refuses answers before it has read all.
    await Promise.race([answered, sending]).catch((cut: unknown) => onCut(cut, answered));
    return await answered;
  } finally {
    sending.catch(() => undefined);
    if (!isSent) outgoing.destroy();
  }
}

/** Writes a body and ends the request. An error of the body itself is noted, because the connection is not at fault. */
async function writeBody(outgoing: ClientRequest, body: BodyWriter, source: { failed?: unknown }): Promise<void> {
  let isCut = false;
  const take = async (chunk: Buffer): Promise<void> =>
    new Promise((resolve, reject) => {
      outgoing.write(chunk, (error) => {
        isCut ||= Boolean(error);
        if (error) reject(error);
        else resolve();
      });
    });
  try {
    await body(take);
  } catch (error) {
    if (!isCut && !outgoing.destroyed) source.failed = error;
    throw error;
  }
  outgoing.end();
}

/** The connection ended while bytes were sent: an answer that has come says why. */
async function onCut(cut: unknown, answered: Promise<Answer>): Promise<void> {
  const late = async (): Promise<never> => {
    await setTimeout(answerWithinMs, undefined, { ref: false });
    throw cut;
  };
  await Promise.race([answered, late()]);
}

async function textOf(response: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of response) {
    length += part.length;
    if (length > maxAnswerBytes) throw new Error('the answer is too long');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
