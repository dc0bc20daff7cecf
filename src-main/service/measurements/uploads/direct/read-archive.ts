import type { ObjectStorage } from '../../../object-storage/object-storage.ts';
import { blockCount, lengthOfBlock, ObjectSums } from '../../objects/block-sums-of-object.ts';
import { blockBytes } from '../../store/block-sums.ts';
import { DamagedError } from '../members/member-receiver.ts';
import type { DirectTarget, ReadMember } from './direct-messages.ts';
import type { DirectThread } from './direct-thread.ts';

/** Few enough small files end within so many bytes that their sums are a short message. */
const sliceBytes = 512 * 1024;

export interface ReadArchiveRequest {
  readonly storage: ObjectStorage;
  readonly thread: DirectThread;
  readonly key: string;
  readonly target: DirectTarget;
  readonly signal: AbortSignal;
  /** Called with the files in order, whose bytes are right. */
  readonly onMembers: (members: readonly ReadMember[]) => Promise<void>;
  readonly onBytes: (bytes: number) => void;
}

/**
 * Reads an archive from the object storage and compares every byte with what its manifest announces.
 *
 * @returns the sums of its blocks, as `ObjectSums` has them.
 * @throws DamagedError for other bytes, ObjectStorageError, the signal's reason, or an error of
 * `onMembers`.
 */
export async function readArchive(request: ReadArchiveRequest): Promise<Uint8Array> {
  const { storage, thread, key, target, signal, onBytes } = request;
  const length = target.archiveBytes;
  const sums = new ObjectSums(length);
  // The thread verifies one block while the next is read.
  const buffers = [0, 1].map(() => Buffer.from(new SharedArrayBuffer(Math.min(blockBytes, length))));
  let verifying: Promise<void> = Promise.resolve();
  await thread.call('openWhole', [target]);
  try {
    for (let block = 0; block < blockCount(length); block += 1) {
      const bytes = (buffers[block % 2] ?? Buffer.alloc(0)).subarray(0, lengthOfBlock(length, block));
      await storage.read(key, block * blockBytes, bytes, signal);
      sums.add(bytes, block * blockBytes);
      onBytes(bytes.length);
      await verifying;
      verifying = verify(request, bytes);
      verifying.catch(() => undefined);
    }
    await verifying;
  } finally {
    await verifying.catch(() => undefined);
    await thread.call('closeWhole', [target.folder]);
  }
  return sums.bytes;
}

async function verify({ thread, target, onMembers, signal }: ReadArchiveRequest, block: Buffer): Promise<void> {
  for (let at = 0; at < block.length; at += sliceBytes) {
    signal.throwIfAborted();
    const { damaged, members } = await thread.call('readWhole', [target.folder, block.subarray(at, at + sliceBytes)]);
    if (damaged !== null) throw new DamagedError(damaged);
    if (members.length > 0) await onMembers(members);
  }
}
