import { crc32 } from '@node-rs/crc32';
import { readSync } from 'node:fs';
import { countOf } from '../../common/count-of.ts';
import { grouped } from '../../common/grouped.ts';
import { SendBuffers } from '../transfers/buffer-pool.ts';
import { readAt, statDescriptor } from '../../files/file-descriptor.ts';
import type { CheckedBlocks } from '../block-checks/checked-blocks.ts';
import { checksumFault, difference, classifyFileError, FileFault } from '../storage/file-errors.ts';
import type { SyncIoPolicy } from '../storage/sync-io-policy.ts';
import type { FileRow } from '../store/files-store.ts';
import type { ResponseWriter } from './response-writer.ts';
import { RangeGuard } from '../block-checks/range-guard.ts';

/** An open file, with the policy of its disk for synchronous reads. */
export interface OpenSource {
  readonly fd: number;
  readonly syncIo: SyncIoPolicy;
}

/** An open file of a measurement, with what verifying its bytes needs. */
export interface CopySource extends OpenSource {
  readonly root: string;
  readonly measurementId: string;
  /** User who downloads the file. */
  readonly userId: number;
  readonly checked: CheckedBlocks;
  readonly file: Pick<FileRow, 'idx' | 'path' | 'length' | 'crc32' | 'mtime_ns'>;
}

/** Most bytes per `sendfile` call on a file in the page cache. */
const sliceBytes = 2 * 1024 * 1024;
/**
 * Size of the first read (sent together with the header) and of the write whose callback tells that
 * a full socket has drained.
 */
const smallWriteBytes = 16 * 1024;

/**
 * Writes the bytes of a file from `start` to `end` into a body. The CRC-32 of a whole file is
 * checked before its last bytes are sent. Of a partial range, each block is verified before its
 * first byte is sent, so `sendfile` may be used, and the last bytes are sent only if the file did
 * not change meanwhile. A client therefore never receives a complete but wrong body.
 *
 * @throws FileFault when the file differs from what was registered.
 */
export async function copyFile(writer: ResponseWriter, source: CopySource, start: number, end: number): Promise<void> {
  const { fd, file } = source;
  const whole = start === 0 && end === file.length;
  const quick = fitsInBuffer(writer, start, end);
  const guard = whole ? null : new RangeGuard(source.checked, source, end);
  let checksum = 0;
  try {
    // The last bytes are read into a buffer even where `sendfile` works, so that the file can be
    // checked before they are sent.
    const reached = await copyBytes(writer, source, start, end, {
      sendfileUntil: whole || quick ? start : end - SendBuffers.small,
      clear: guard ? (position) => guard.clear(position) : null,
      onRead: (bytes) => {
        if (whole) checksum = crc32(bytes, checksum);
      },
    });
    if (reached < end)
      throw new FileFault(file, 'altered', `it ends after ${grouped(reached)} of ${countOf(file.length, 'byte')}`);
    if (guard) await guard.confirm();
    else if (!quick && checksum === file.crc32) {
      // A changed modification time does not matter when the checksum matches, but a file that has
      // grown is another one.
      const found = await statDescriptor(fd);
      if (found.size !== BigInt(file.length))
        throw new FileFault(file, 'altered', difference(file, found) ?? 'its length has changed');
    }
  } catch (error) {
    throw isSystemError(error) ? await classifyFileError(error, file, source.root) : error;
  } finally {
    await guard?.settle();
  }
  if (whole && checksum !== file.crc32) throw checksumFault(file);
}

/**
 * Writes bytes without a checksum into a body; all of them may be sent by `sendfile`.
 *
 * @returns the position reached, less than `end` at the end of the file.
 */
export function copyUnchecked(writer: ResponseWriter, source: OpenSource, start: number, end: number): Promise<number> {
  return copyBytes(writer, source, start, end, {
    sendfileUntil: fitsInBuffer(writer, start, end) ? start : end,
    clear: null,
    onRead: () => {},
  });
}

const fitsInBuffer = (writer: ResponseWriter, start: number, end: number) => end - start <= writer.size;

async function copyBytes(
  writer: ResponseWriter,
  source: OpenSource,
  start: number,
  end: number,
  {
    sendfileUntil,
    clear,
    onRead,
  }: {
    readonly sendfileUntil: number;
    /**
     * Waits until the bytes from a position on are verified.
     *
     * @returns the position up to which they are.
     */
    readonly clear: ((position: number) => Promise<number>) | null;
    readonly onRead: (bytes: Buffer) => void;
  },
): Promise<number> {
  const { fd, syncIo } = source;
  const quick = fitsInBuffer(writer, start, end);
  let full = false;
  let cleared = clear ? start : end;
  for (let position = start; position < end;) {
    if (clear && position >= cleared) cleared = await clear(position);
    if (!full && writer.canSendFile && syncIo.allowed && position < sendfileUntil) {
      const to = Math.min(position + sliceBytes, sendfileUntil, cleared);
      const passed = await sendfileSlice(writer, source, position, to);
      if (passed !== null) {
        position += passed;
        full = position < to;
        // Do not yield after the last byte: a pipelining client may already have sent its next
        // request.
        if (position < end) await writer.yieldToOthers();
        continue;
      }
    }
    if (writer.freeBytes === 0) await writer.flush();
    const count = Math.min(writer.freeBytes, cleared - position, full ? smallWriteBytes : Infinity);
    full = false;
    const at = writer.filled;
    let bytes: number;
    if (quick && syncIo.allowed) {
      const since = performance.now();
      bytes = readSync(fd, writer.buffer, at, count, position);
      syncIo.record(since);
    } else bytes = writer.readCached(fd, count, position) || (await readAt(fd, writer.buffer, at, count, position));
    if (bytes === 0) return position;
    onRead(writer.buffer.subarray(at, at + bytes));
    writer.add(bytes);
    position += bytes;
  }
  return end;
}

async function sendfileSlice(
  writer: ResponseWriter,
  { fd, syncIo }: OpenSource,
  position: number,
  end: number,
): Promise<number | null> {
  if (!writer.headSent && writer.filled === 0) return 0;
  await writer.drain();
  const since = performance.now();
  const passed = writer.sendFile(fd, position, end - position);
  syncIo.record(since);
  return passed;
}

/**
 * Reads a range that fits into one buffer synchronously: only for files in the page cache, see
 * SyncIoPolicy. The CRC-32 of a whole file is checked.
 *
 * @throws FileFault, or the error of the system call.
 */
export function readSmall(source: CopySource, buffer: Buffer, start: number, end: number): void {
  const { fd, file, syncIo } = source;
  const since = performance.now();
  for (let position = start; position < end;) {
    const bytes = readSync(fd, buffer, position - start, end - position, position);
    if (bytes === 0)
      throw new FileFault(file, 'altered', `it ends after ${grouped(position)} of ${countOf(file.length, 'byte')}`);
    position += bytes;
  }
  syncIo.record(since);
  if (start === 0 && end === file.length && crc32(buffer.subarray(0, end)) !== file.crc32) throw checksumFault(file);
}

/** Whether an error came from a system call on the file. */
export function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
