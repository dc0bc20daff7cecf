// Runs queries for the thread that waits for it; see beside.ts.
import pg from 'pg';
import { workerData, type MessagePort } from 'node:worker_threads';

interface Request {
  readonly text: string;
  readonly values: readonly unknown[];
}

const { url, port, signal } = workerData as { url: string; port: MessagePort; signal: Int32Array };
const client = new pg.Client({
  connectionString: url,
  options: '-c lock_timeout=5s',
  types: {
    getTypeParser: (id: number, format?: 'text' | 'binary') => {
      if (id === 20 || id === 1700) return Number;
      if (id === 16) return (text: string) => (text === 't' ? 1 : 0);
      return pg.types.getTypeParser(id, format);
    },
  },
});
// The test has removed its database: a later request says so.
client.on('error', () => undefined);
const connected = client.connect();

port.on('message', (request: Request) => {
  void answer(request);
});

async function answer(request: Request): Promise<void> {
  try {
    await connected;
    const values = request.values.map((one) => (one instanceof Uint8Array ? Buffer.from(one) : one));
    const found = await client.query(request.text, values.length > 0 ? values : undefined);
    const last = Array.isArray(found) ? (found as pg.QueryResult[]).at(-1) : found;
    port.postMessage({ rows: last?.rows ?? [], count: last?.rowCount ?? 0 });
  } catch (error) {
    port.postMessage({ error: String(error) });
  }
  Atomics.store(signal, 0, 1);
  Atomics.notify(signal, 0);
}
