import { HttpProblem } from '../../common/problem.ts';
import type { ByteSink } from './byte-sink.ts';
import type { Received, ReceiveTarget } from './members/receive-messages.ts';
import type { ReceiveThread } from './members/receive-thread.ts';

/** Enough that the thread never waits for the next one. */
const slotCount = 4;
const slotBytes = 256 * 1024;

/** An upload whose bytes are not those of its manifest; nothing of it is kept. */
export class DamagedUpload extends HttpProblem {
  constructor(detail: string) {
    super(422, detail, { type: 'damaged' });
  }
}

/**
 * Sends the bytes of an archive to the thread that verifies them, in memory that both share, because
 * new memory for each chunk costs more than what is done with it.
 *
 * @returns the sink, and the number of bytes that are there.
 */
export async function memberSink(
  thread: ReceiveThread,
  target: ReceiveTarget,
): Promise<{ readonly sink: ByteSink; readonly offset: number }> {
  const { folder } = target;
  const offset = requireSound(await thread.call('open', [target]));
  const slots = new SharedSlots();
  const waiting: Promise<Received>[] = [];
  const flush = async (): Promise<void> => {
    const bytes = slots.take();
    if (bytes === null) return;
    const sent = thread.call('write', [folder, bytes]);
    sent.catch(() => undefined);
    waiting.push(sent);
    // The slot that is filled next is then free.
    if (waiting.length >= slotCount) await first(waiting);
  };
  const settle = async (): Promise<void> => {
    await flush();
    while (waiting.length > 0) await first(waiting);
    requireSound(await thread.call('settle', [folder]));
  };
  const sink: ByteSink = {
    write: async (chunk) => {
      for (let at = 0; at < chunk.length;) {
        at += slots.fill(chunk.subarray(at));
        if (slots.isFull) await flush();
      }
    },
    sync: settle,
    undo: null,
    close: async () => {
      // Bytes received before a cut are kept; wrong ones were reported by `write`.
      await flush().catch(() => undefined);
      await thread.call('settle', [folder]);
    },
  };
  return { sink, offset };
}

/** Memory that is filled, and then read by another thread, slot by slot. */
class SharedSlots {
  readonly #slots: Buffer[] = [];
  #at = 0;
  #filled = 0;

  get isFull(): boolean {
    return this.#filled === slotBytes;
  }

  /** @returns how many bytes there was room for. */
  fill(chunk: Buffer): number {
    // Made when they are first used, because most uploads are small.
    const slot = (this.#slots[this.#at] ??= Buffer.from(new SharedArrayBuffer(slotBytes)));
    const copied = chunk.copy(slot, this.#filled);
    this.#filled += copied;
    return copied;
  }

  /** The bytes of the slot, after which the next one is filled; null when it is empty. */
  take(): Uint8Array | null {
    const slot = this.#slots[this.#at];
    if (slot === undefined || this.#filled === 0) return null;
    const bytes = slot.subarray(0, this.#filled);
    this.#at = (this.#at + 1) % (slotCount + 1);
    this.#filled = 0;
    return bytes;
  }
}

async function first(waiting: Promise<Received>[]): Promise<void> {
  const one = waiting.shift();
  if (one !== undefined) requireSound(await one);
}

function requireSound({ offset, damaged }: Received): number {
  if (damaged !== null) throw new DamagedUpload(damaged);
  return offset;
}
