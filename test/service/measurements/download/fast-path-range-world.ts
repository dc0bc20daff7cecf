import { RawClient } from '../../raw-client.ts';
import { until } from '../../until.ts';

export const length = 200_000;
export const bytes = Buffer.from(Array.from({ length }, (_, i) => (i * 31 + (i >> 8)) % 251));

export interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: Buffer;
}

/** The first answer of `text`, and what comes after it. */
export function read(text: string): Answer & { readonly rest: string } {
  const end = text.indexOf('\r\n\r\n');
  const head = text.slice(0, end);
  const size = Number(/\r\nContent-Length: (\d+)/i.exec(head)?.[1] ?? 0);
  const from = end + 4;
  return {
    status: Number(head.slice(9, 12)),
    head,
    body: Buffer.from(text.slice(from, from + size), 'latin1'),
    rest: text.slice(from + size),
  };
}

/** Sends a request as it is, over a connection of its own unless one is given, and waits for the whole answer. */
export async function raw(origin: string, request: string, connection?: RawClient): Promise<Answer> {
  const client = connection ?? (await RawClient.open(origin));
  const before = client.text.length;
  client.socket.write(request, 'latin1');
  await until(() => {
    const text = client.text.slice(before);
    if (!text.includes('\r\n\r\n')) return false;
    const size = request.startsWith('HEAD') ? 0 : Number(/\r\nContent-Length: (\d+)/i.exec(text)?.[1] ?? 0);
    return text.length >= text.indexOf('\r\n\r\n') + 4 + size;
  }, 'a whole answer');
  if (!connection) client.socket.destroy();
  return read(client.text.slice(before));
}

export const lines = (url: string, headers: readonly string[]) =>
  `GET ${url} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`;
/** A head without what differs from one answer to the next. */
export const shape = (head: string) =>
  head.replace(/X-Request-Id: [0-9a-f-]{36}/, 'X-Request-Id: ID').replace(/Date: [^\r]+/, 'Date: NOW');
