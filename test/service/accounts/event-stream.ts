import { get, type IncomingMessage } from 'node:http';

export interface HeardEvent {
  readonly id: string;
  readonly name: string;
  readonly data: unknown;
}

export interface EventStream {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: () => string;
  /** Events without heartbeats. */
  readonly events: readonly HeardEvent[];
  /** Resolves when the server has ended the stream. */
  readonly closed: Promise<void>;
  /** Stops reading, as a hanging client does. */
  pause(): void;
  resume(): void;
  close(): void;
}

/** Reads server-sent events from a socket. */
export function listen(url: string, headers: Record<string, string>): Promise<EventStream> {
  return new Promise((resolve, reject) => {
    const request = get(`${url}/api/v4/events`, { headers, agent: false }, (response) => {
      let text = '';
      let rest = '';
      const events: HeardEvent[] = [];
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
        const blocks = (rest + piece).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) {
          const fields = new Map(
            block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
          );
          const name = fields.get('event');
          if (name !== undefined && name !== 'heartbeat')
            events.push({ id: fields.get('id') ?? '', name, data: JSON.parse(fields.get('data') ?? 'null') });
        }
      });
      response.on('error', () => {});
      const closed = new Promise<void>((done) => response.once('close', done));
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: () => text,
        events,
        closed,
        pause: () => void response.pause(),
        resume: () => void response.resume(),
        close: () => void request.destroy(),
      });
    });
    request.once('error', reject);
  });
}
