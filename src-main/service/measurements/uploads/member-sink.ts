import type { ByteSink } from './members/byte-sink.ts';
import type { Received, ReceiveTarget } from './members/receive-messages.ts';
import type { ReceiveThread } from './members/receive-thread.ts';
import { SharedSlots } from './members/shared-slots.ts';
import { DamagedUpload } from './members/upload-failures.ts';

/** Enough that the thread never waits for the next one. */
const slotCount = 4;
const slotBytes = 256 * 1024;

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
  const slots = new SharedSlots(slotCount + 1, slotBytes);
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

async function first(waiting: Promise<Received>[]): Promise<void> {
  const one = waiting.shift();
  if (one !== undefined) requireSound(await one);
}

function requireSound({ offset, damaged }: Received): number {
  if (damaged !== null) throw new DamagedUpload(damaged);
  return offset;
}
