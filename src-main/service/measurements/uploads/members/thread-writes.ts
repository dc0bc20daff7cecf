import { SharedSlots } from './shared-slots.ts';
import { DamagedUpload } from './upload-failures.ts';

/** Enough that the thread never waits for the next one, and bounds what one upload holds in memory. */
const slotCount = 4;
const slotBytes = 256 * 1024;

interface Answer {
  /** Why the bytes are refused; null for right ones. */
  readonly damaged: string | null;
}

/**
 * Sends bytes to a thread in memory that both share, because new memory for each chunk costs more than
 * what is done with it.
 */
export class ThreadWrites {
  readonly #send: (bytes: Uint8Array) => Promise<Answer>;
  readonly #slots = new SharedSlots(slotCount + 1, slotBytes);
  readonly #waiting: Promise<Answer>[] = [];

  constructor(send: (bytes: Uint8Array) => Promise<Answer>) {
    this.#send = send;
  }

  /** @returns how many bytes of the chunk were taken. @throws DamagedUpload for earlier ones. */
  async write(chunk: Buffer): Promise<number> {
    const taken = this.#slots.fill(chunk);
    if (this.#slots.isFull) await this.flush();
    return taken;
  }

  /** Sends what waits for more. @throws DamagedUpload for earlier bytes. */
  async flush(): Promise<void> {
    const bytes = this.#slots.take();
    if (bytes === null) return;
    const sent = this.#send(bytes);
    sent.catch(() => undefined);
    this.#waiting.push(sent);
    // The slot that is filled next is then free.
    if (this.#waiting.length >= slotCount) await this.#first();
  }

  /** The thread has taken all bytes afterwards. @throws DamagedUpload */
  async settle(): Promise<void> {
    await this.flush();
    while (this.#waiting.length > 0) await this.#first();
  }

  async #first(): Promise<void> {
    const damaged = (await this.#waiting.shift())?.damaged ?? null;
    if (damaged !== null) throw new DamagedUpload(damaged);
  }
}
