import type { Pool, PoolConfig } from 'pg';

/** The connections of one process. */
export interface Pools {
  /** Each statement is a serializable transaction, unless it begins one. */
  readonly writing: Pool;
  /** PostgreSQL refuses to write here. */
  readonly reading: Pool;
  close(): Promise<void>;
}

export interface PoolOptions {
  readonly url: string;
  /** Connections in all. */
  readonly size: number;
  /** Told of connections that fail while nobody uses them. */
  readonly onIdleError: (error: Error) => void;
}

const timeouts = {
  lock_timeout: '2s',
  // Shorter than writes are retried behind a lock, so that a replica that stands still makes none of others fail.
  idle_in_transaction_session_timeout: '3s',
  statement_timeout: '30s',
};
export const connectTimeoutMs = 5000;
/** For a server that hangs, or a network that passes nothing on; a running one ends its statements before. */
const queryTimeoutMs = 32_000;

// Types by their OIDs (PostgreSQL, pg_type): values that TypeScript knows as numbers arrive as such.
// All are below 2^53: identifiers, sizes, counts and milliseconds.
const boolean = 16;
const bigint = 20;
const numeric = 1700;

/** Loads the driver, which only a facility needs, and makes the connections when they are first used. */
export async function openPools({ url, size, onIdleError }: PoolOptions): Promise<Pools> {
  const { default: pg } = await import('pg');
  const types: PoolConfig['types'] = {
    getTypeParser: (id: number, format?: 'text' | 'binary'): ((value: string) => unknown) => {
      if (id === bigint || id === numeric) return Number;
      if (id === boolean) return (text: string) => (text === 't' ? 1 : 0);
      return pg.types.getTypeParser(id, format);
    },
  };
  const pool = (max: number, settings: Readonly<Record<string, string>>): Pool => {
    const made = new pg.Pool({
      connectionString: url,
      max,
      types,
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: queryTimeoutMs,
      keepAlive: true,
      application_name: 'benchport',
      options: Object.entries({ ...timeouts, ...settings })
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(' '),
    });
    made.on('error', onIdleError);
    return made;
  };
  const writing = pool(Math.max(1, Math.ceil(size / 2)), { default_transaction_isolation: 'serializable' });
  const reading = pool(Math.max(1, Math.floor(size / 2)), {
    default_transaction_read_only: 'on',
    idle_in_transaction_session_timeout: '10s',
  });
  return {
    writing,
    reading,
    close: async () => {
      await Promise.all([writing.end(), reading.end()]);
    },
  };
}
