import type { ByteSink } from './members/byte-sink.ts';
import type { Received, ReceiveTarget } from './members/receive-messages.ts';
import type { ReceiveThread } from './members/receive-thread.ts';
import { ThreadWrites } from './members/thread-writes.ts';
import { DamagedUpload } from './members/upload-failures.ts';

/**
 * Sends the bytes of an archive to the thread that verifies them.
 *
 * @returns the sink, and the number of bytes that are there.
 */
export async function memberSink(
  thread: ReceiveThread,
  target: ReceiveTarget,
): Promise<{ readonly sink: ByteSink; readonly offset: number }> {
  const { folder } = target;
  const offset = requireSound(await thread.call('open', [target]));
  const writes = new ThreadWrites(async (bytes) => thread.call('write', [folder, bytes]));
  const sink: ByteSink = {
    write: async (chunk) => {
      for (let at = 0; at < chunk.length;) at += await writes.write(chunk.subarray(at));
    },
    sync: async () => {
      await writes.settle();
      requireSound(await thread.call('settle', [folder]));
    },
    undo: null,
    close: async () => {
      // Bytes received before a cut are kept; wrong ones were reported by `write`.
      await writes.flush().catch(() => undefined);
      await thread.call('settle', [folder]);
    },
  };
  return { sink, offset };
}

function requireSound({ offset, damaged }: Received): number {
  if (damaged !== null) throw new DamagedUpload(damaged);
  return offset;
}
