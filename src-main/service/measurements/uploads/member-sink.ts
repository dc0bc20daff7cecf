import { HttpProblem } from '../../common/problem.ts';
import type { ByteSink } from './byte-sink.ts';
import type { Received, ReceiveTarget } from './members/receive-messages.ts';
import type { ReceiveThread } from './members/receive-thread.ts';

/** Of 64 KiB each: enough that the thread never waits for the next one. */
const maxWaiting = 8;

/** An upload whose bytes are not those of its manifest; nothing of it is kept. */
export class DamagedUpload extends HttpProblem {
  constructor(detail: string) {
    super(422, detail, { type: 'damaged' });
  }
}

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
  const waiting: Promise<Received>[] = [];
  const settle = async (): Promise<void> => {
    while (waiting.length > 0) await first(waiting);
    requireSound(await thread.call('settle', [folder]));
  };
  const sink: ByteSink = {
    write: async (chunk) => {
      // A copy, because transferring takes the whole memory that the chunk may share with others.
      const bytes = new Uint8Array(chunk);
      const sent = thread.call('write', [folder, bytes], [bytes.buffer]);
      sent.catch(() => undefined);
      waiting.push(sent);
      if (waiting.length >= maxWaiting) await first(waiting);
    },
    sync: settle,
    undo: null,
    close: async () => void (await thread.call('settle', [folder])),
  };
  return { sink, offset: requireSound(await thread.call('open', [target])) };
}

async function first(waiting: Promise<Received>[]): Promise<void> {
  const one = waiting.shift();
  if (one !== undefined) requireSound(await one);
}

function requireSound({ offset, damaged }: Received): number {
  if (damaged !== null) throw new DamagedUpload(damaged);
  return offset;
}
