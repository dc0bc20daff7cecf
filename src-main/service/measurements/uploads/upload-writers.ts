import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { HttpProblem } from '../../common/problem.ts';
import type { Cluster } from '../../database/cluster/cluster.ts';
import type { UploadsStore } from '../store/uploads-store.ts';

const leaseMs = 10_000;
const renewEveryMs = 3000;
const waitMs = 6000;
const pauseMs = 50;
const prefix = 'upload ';

export interface UploadWriter {
  /** Names it in the database. */
  readonly token: string;
  /** Aborted when another request takes over, or the right to write was lost. */
  readonly signal: AbortSignal;
  release(): Promise<void>;
}

/**
 * Who writes to an upload: one request at a time among all replicas. A later request ends the one
 * before it, which may be waiting for a connection that is dead.
 */
export class UploadWriters {
  readonly #uploads: UploadsStore;
  readonly #cluster: Pick<Cluster, 'notify' | 'onNotification'>;
  readonly #own = new Map<string, AbortController>();
  readonly #unsubscribe: () => void;

  constructor(uploads: UploadsStore, cluster: Pick<Cluster, 'notify' | 'onNotification'>) {
    this.#uploads = uploads;
    this.#cluster = cluster;
    this.#unsubscribe = cluster.onNotification((text) => {
      if (text.startsWith(prefix)) this.#end(text.slice(prefix.length));
    });
  }

  /** @returns null while another request writes, or when the upload has ended. */
  async tryTake(id: string): Promise<UploadWriter | null> {
    const writer = randomUUID();
    return (await this.#claim(id, writer)) ? this.#writerOf(id, writer) : null;
  }

  /** @throws HttpProblem 423 when the request before does not end. */
  async take(id: string): Promise<UploadWriter> {
    const writer = randomUUID();
    this.#end(id);
    for (const began = performance.now(); !(await this.#claim(id, writer));) {
      if (performance.now() - began > waitMs)
        throw new HttpProblem(423, 'Another request still writes to this upload. Try again in some seconds.', {
          type: 'locked',
          headers: { 'retry-after': String(leaseMs / 1000) },
        });
      this.#cluster.notify(prefix + id);
      this.#end(id);
      await setTimeout(pauseMs);
    }
    return this.#writerOf(id, writer);
  }

  #writerOf(id: string, writer: string): UploadWriter {
    const ending = new AbortController();
    this.#own.set(id, ending);
    const renewing = setInterval(() => {
      this.#claim(id, writer).then(
        (holds) => holds || ending.abort(taken()),
        () => undefined,
      );
    }, renewEveryMs);
    return {
      token: writer,
      signal: ending.signal,
      release: async () => {
        clearInterval(renewing);
        if (this.#own.get(id) === ending) this.#own.delete(id);
        await this.#uploads.release(id, writer, Date.now());
      },
    };
  }

  /** Ends all requests that write; what came is kept. */
  close(): void {
    this.#unsubscribe();
    for (const id of this.#own.keys()) this.#end(id);
  }

  #end(id: string): void {
    this.#own.get(id)?.abort(taken());
  }

  async #claim(id: string, writer: string): Promise<boolean> {
    const now = Date.now();
    return this.#uploads.claim(id, writer, now, now + leaseMs);
  }
}

function taken(): HttpProblem {
  return new HttpProblem(409, 'Another request goes on with this upload, or the service stops.', {
    type: 'upload-taken',
  });
}
