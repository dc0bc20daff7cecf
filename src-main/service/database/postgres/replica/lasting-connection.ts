import type { Client, QueryConfig, QueryResult, QueryResultRow } from 'pg';

const maxReconnectMs = 1000;

export interface ConnectionOptions {
  /** Makes a client that is not connected yet. */
  readonly connect: () => Client;
  /** Prepares a new connection, for example with LISTEN. */
  readonly prepare?: (client: Client) => Promise<void>;
  /** Told when an established connection is lost, or cannot be made. */
  readonly onLost: (error: unknown) => void;
}

/** One connection apart from the pools, so that busy requests do not delay it; made anew when lost. */
export class LastingConnection {
  readonly #options: ConnectionOptions;
  #client: Client | null = null;
  #connecting: Promise<Client> | null = null;
  #reconnect: NodeJS.Timeout | null = null;
  #kept = false;
  #closed = false;
  #isDown = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** Connects now and again after each loss, without anybody asking. */
  keep(): void {
    this.#kept = true;
    this.#connectAfter(0);
  }

  /** Runs a statement. @throws when there is no connection, or it is lost meanwhile. */
  async query<Row extends QueryResultRow>(query: QueryConfig & { query_timeout: number }): Promise<QueryResult<Row>> {
    const client = this.#client ?? (await this.#connected());
    try {
      return await client.query<Row>(query);
    } catch (error) {
      // A statement that timed out still occupies the connection.
      if (error instanceof Error && error.message.includes('Query read timeout')) this.#lost(client, error);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#reconnect !== null) clearTimeout(this.#reconnect);
    await this.#connecting?.catch(() => undefined);
    if (this.#client !== null) endQuietly(this.#client);
    this.#client = null;
  }

  async #connected(): Promise<Client> {
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = null;
    });
    return this.#connecting;
  }

  async #connect(): Promise<Client> {
    const client = this.#options.connect();
    const lost = (error: unknown): void => this.#lost(client, error);
    client.on('error', lost);
    client.on('end', () => lost(new Error('the connection ended')));
    try {
      await client.connect();
      await this.#options.prepare?.(client);
    } catch (error) {
      quiet(client);
      throw error;
    }
    if (this.#closed) quiet(client);
    else this.#client = client;
    this.#isDown = false;
    return client;
  }

  // Once until there is a connection again: the attempts of an outage would fill the log.
  #tell(error: unknown): void {
    if (!this.#isDown) this.#options.onLost(error);
    this.#isDown = true;
  }

  #lost(client: Client, error: unknown): void {
    if (this.#client !== client) return;
    this.#client = null;
    quiet(client);
    if (this.#closed) return;
    this.#tell(error);
    if (this.#kept) this.#connectAfter(0);
  }

  #connectAfter(afterMs: number): void {
    this.#reconnect = setTimeout(() => {
      this.#connected().catch((error: unknown) => {
        if (this.#closed) return;
        this.#tell(error);
        this.#connectAfter(Math.min(maxReconnectMs, Math.max(100, afterMs * 2)));
      });
    }, afterMs);
  }
}

function quiet(client: Client): void {
  client.removeAllListeners();
  client.on('error', () => undefined);
  endQuietly(client);
}

function endQuietly(client: Client): void {
  // It may have failed already.
  client.end().catch(() => undefined);
}
