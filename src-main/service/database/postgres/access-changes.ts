import type { Client, Pool, QueryConfig } from 'pg';
import type { ChangeCounter } from '../change-counter.ts';

const pollMs = 500;
/** A look that takes longer failed: the server or the network hangs. */
const lookTimeoutMs = 1000;
/** Without a look for this long, nothing that was cached is used. */
const staleMs = 1500;
const pruneEveryMs = 60_000;
/** Longer than any transaction lasts, and any replica is behind. */
const keptMs = 600_000;

// One statement, so that both parts are of one snapshot: transactions below its floor had ended, and
// need not be looked at again (PostgreSQL, "Transaction ID and Snapshot Information Functions").
const look = `SELECT CAST(pg_snapshot_xmin(pg_current_snapshot()) AS text) AS floor,
  ARRAY(SELECT CAST(id AS text) FROM access_changes WHERE xid >= CAST(CAST($1 AS text) AS xid8)) AS ids`;
const prune = 'DELETE FROM access_changes WHERE at < milliseconds_now() - $1';
const maxReconnectMs = 5000;

export interface AccessChangesOptions {
  readonly reading: Pool;
  readonly writing: Pool;
  /** Makes a connection for LISTEN, which is not connected yet. */
  readonly connect: () => Client;
  /** Told of failures to look or to listen. */
  readonly onError: (error: unknown, message: string) => void;
}

/**
 * Sees the changes of access by other replicas: at once by a notification, and by a look each half
 * second, should notifications be lost.
 */
export class AccessChanges implements ChangeCounter {
  readonly #options: AccessChangesOptions;
  #own = 0;
  #floor = '0';
  /** Of transactions at or above the floor. */
  #seen: ReadonlySet<string> = new Set();
  #seenAt = -Infinity;
  #prunedAt = performance.now();
  #looking: Promise<void> | null = null;
  #lookAgain = false;
  #listener: Client | null = null;
  #timer: NodeJS.Timeout | null = null;
  #reconnect: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(options: AccessChangesOptions) {
    this.#options = options;
  }

  /** @throws when the database cannot be read. */
  async start(): Promise<void> {
    await this.#look();
    void this.#listen(100);
    const poll = async (): Promise<void> => {
      await this.look();
      if (!this.#closed) this.#timer = setTimeout(() => void poll(), pollMs);
    };
    this.#timer = setTimeout(() => void poll(), pollMs);
  }

  bump(): void {
    this.#own += 1;
  }

  current(): number {
    // Changes may have been missed: each answer differs from all before, and no cache holds.
    if (performance.now() - this.#seenAt > staleMs) this.#own += 1;
    return this.#own;
  }

  /** Looks for changes; failures are only told. */
  async look(): Promise<void> {
    if (this.#looking !== null) {
      // A look that already runs may have missed the change.
      this.#lookAgain = true;
      return this.#looking;
    }
    this.#looking = this.#lookWhileAsked().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#reconnect !== null) clearTimeout(this.#reconnect);
    await this.#looking;
    if (this.#listener !== null) endQuietly(this.#listener);
  }

  async #lookWhileAsked(): Promise<void> {
    do {
      this.#lookAgain = false;
      try {
        await this.#look();
      } catch (error) {
        if (!this.#closed) this.#options.onError(error, 'the database does not say whether access changed');
      }
    } while (this.#lookAgain && !this.#closed);
  }

  async #look(): Promise<void> {
    const began = performance.now();
    const { rows } = await this.#options.reading.query<{ floor: string; ids: readonly string[] }>({
      name: 'access-changes',
      text: look,
      values: [this.#floor],
      query_timeout: lookTimeoutMs,
    } as QueryConfig);
    const { floor = this.#floor, ids = [] } = rows[0] ?? {};
    if (ids.some((id) => !this.#seen.has(id))) this.#own += 1;
    [this.#floor, this.#seen, this.#seenAt] = [floor, new Set(ids), began];
    if (began - this.#prunedAt > pruneEveryMs) await this.#prune(began);
  }

  async #prune(now: number): Promise<void> {
    this.#prunedAt = now;
    await this.#options.writing.query(prune, [keptMs]);
  }

  async #listen(retryMs: number): Promise<void> {
    if (this.#closed) return;
    const listener = this.#options.connect();
    const lost = (error: unknown): void => {
      if (this.#listener === listener) this.#listener = null;
      else if (this.#listener !== null) return;
      listener.removeAllListeners();
      listener.on('error', () => undefined);
      endQuietly(listener);
      if (this.#closed || this.#reconnect !== null) return;
      this.#options.onError(error, 'notifications of the database are lost');
      this.#reconnect = setTimeout(() => {
        this.#reconnect = null;
        void this.#listen(Math.min(maxReconnectMs, retryMs * 2));
      }, retryMs);
    };
    listener.on('error', lost);
    listener.on('end', () => lost(new Error('the connection for notifications ended')));
    listener.on('notification', () => void this.look());
    try {
      await listener.connect();
      await listener.query('LISTEN benchport_access');
      this.#listener = listener;
      // Changes between the last look and LISTEN.
      await this.look();
    } catch (error) {
      lost(error);
    }
  }
}

function endQuietly(client: Client): void {
  // It may have failed already.
  client.end().catch(() => undefined);
}
