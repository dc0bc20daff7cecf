import http from 'node:http';
import type { ServiceProcess } from './service-process.ts';

export interface Reply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Question {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Over the private socket, as its owner. */
  readonly window?: boolean;
  /** Milliseconds to wait before reading each chunk, for a slow client. */
  readonly slowly?: number;
  /** Called with the response's head; the body is read after it resolves. */
  readonly before?: () => Promise<void>;
  /** Disconnects after this many bytes. */
  readonly leaveAfter?: number;
}

/** The connection broke, before or within the response. */
export class Broken extends Error {
  /** Status of the response, if it had begun. */
  readonly status: number | null;

  constructor(status: number | null, cause: unknown) {
    super(
      `broke off${status === null ? '' : ` within an answer with ${status}`}: ${cause instanceof Error ? cause.message : String(cause)}`,
    );
    this.name = 'Broken';
    this.status = status;
  }
}

/** Sends one request on a new connection. @throws Broken */
export async function sendOnce(service: ServiceProcess, target: string, question: Question = {}): Promise<Reply> {
  const place = question.window
    ? { socketPath: service.socketPath }
    : { host: '127.0.0.1', port: Number(new URL(service.url).port) };
  const headers = {
    ...(question.window ? { host: 'localhost', 'x-benchport-launch-secret': service.secret } : {}),
    ...(typeof question.body === 'string' && question.headers?.['content-type'] === undefined
      ? { 'content-type': 'application/json' }
      : {}),
    ...(question.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(question.body)) }),
    ...question.headers,
  };
  return new Promise((resolve, reject) => {
    const request = http.request({ ...place, path: target, method: question.method ?? 'GET', headers, agent: false });
    request.once('error', (error) => reject(new Broken(null, error)));
    request.once('response', (response) => {
      request.on('error', () => {});
      void read(response, question).then(
        (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        reject,
      );
    });
    request.end(question.body);
  });
}

async function read(response: http.IncomingMessage, { before, slowly, leaveAfter }: Question): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  response.pause();
  // Rejections are handled from the start, because it may fail before it is awaited.
  let failure: Error | null = null;
  response.on('error', (error: Error) => (failure = error));
  await before?.();
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      pieces.push(piece);
      length += piece.length;
      if (leaveAfter !== undefined && length >= leaveAfter) {
        response.destroy();
        break;
      }
      if (slowly !== undefined) await new Promise((resolve) => setTimeout(resolve, slowly));
    }
  } catch (error) {
    throw new Broken(response.statusCode ?? null, error);
  }
  if (failure !== null && leaveAfter === undefined) throw new Broken(response.statusCode ?? null, failure);
  return Buffer.concat(pieces);
}
