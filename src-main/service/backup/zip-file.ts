import { crc32 as crcOf } from '@node-rs/crc32';
import { open, rm, type FileHandle } from 'node:fs/promises';
import {
  directoryEntryLength,
  endRecords,
  localHeaderLength,
  writeDirectoryEntry,
  writeLocalHeader,
  type MemberHeader,
} from '../../../src-shared/archive/zip-format.ts';

const chunkBytes = 1024 * 1024;

/**
 * Writes a ZIP of uncompressed members. The central directory is collected in a second file, so
 * that memory does not grow with the number of members.
 */
export class ZipFile {
  readonly #handle: FileHandle;
  readonly #directory: FileHandle;
  readonly #directoryPath: string;
  readonly #buffer = Buffer.allocUnsafeSlow(chunkBytes);
  #offset = 0;
  #directoryLength = 0;
  #count = 0;

  private constructor(handle: FileHandle, directory: FileHandle, directoryPath: string) {
    this.#handle = handle;
    this.#directory = directory;
    this.#directoryPath = directoryPath;
  }

  /** @param file a new file, readable only by its owner. */
  static async create(file: string): Promise<ZipFile> {
    const directoryPath = `${file}.directory`;
    const handle = await open(file, 'wx', 0o600);
    return new ZipFile(handle, await open(directoryPath, 'w+', 0o600), directoryPath);
  }

  /**
   * Adds a member from an open file and verifies its content against the checksum and length in the
   * header, which is written first.
   *
   * @returns whether they match; if not, the member is removed from the archive.
   */
  async add(member: MemberHeader, source: FileHandle, onBytes: (bytes: number) => Promise<void>): Promise<boolean> {
    const start = this.#offset;
    await this.#begin(member);
    let checksum = 0;
    let length = 0;
    for (;;) {
      const { bytesRead } = await source.read(this.#buffer, 0, chunkBytes, length);
      if (bytesRead === 0) break;
      const chunk = this.#buffer.subarray(0, bytesRead);
      checksum = crcOf(chunk, checksum);
      length += bytesRead;
      if (length > member.length) break;
      await this.#append(chunk);
      await onBytes(bytesRead);
    }
    if (length !== member.length || checksum >>> 0 !== member.crc32) {
      await this.#handle.truncate(start);
      this.#offset = start;
      return false;
    }
    await this.#list(member, start);
    return true;
  }

  /** Adds a small member from memory. */
  async addText(path: string, text: string, at: number): Promise<void> {
    const bytes = Buffer.from(text);
    const member = { path, length: bytes.length, crc32: crcOf(bytes) >>> 0, registeredAt: at };
    const start = this.#offset;
    await this.#begin(member);
    await this.#append(bytes);
    await this.#list(member, start);
  }

  /** Writes the central directory and waits for the disk. @returns the length of the archive. */
  async finish(): Promise<number> {
    const directoryOffset = this.#offset;
    for (let at = 0; at < this.#directoryLength;) {
      const { bytesRead } = await this.#directory.read(this.#buffer, 0, chunkBytes, at);
      if (bytesRead === 0) throw new Error('the directory of the backup was cut short');
      await this.#append(this.#buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
    await this.#append(Buffer.from(endRecords(this.#count, this.#directoryLength, directoryOffset)));
    await this.#handle.sync();
    return this.#offset;
  }

  async close(): Promise<void> {
    await this.#handle.close();
    await this.#directory.close();
    await rm(this.#directoryPath, { force: true });
  }

  async #begin(member: MemberHeader): Promise<void> {
    const header = Buffer.alloc(localHeaderLength(member));
    writeLocalHeader(header, 0, member);
    await this.#append(header);
  }

  /** Adds a complete member to the central directory. */
  async #list(member: MemberHeader, start: number): Promise<void> {
    const entry = Buffer.alloc(directoryEntryLength(member, start));
    writeDirectoryEntry(entry, 0, member, start);
    await this.#directory.write(entry, 0, entry.length, this.#directoryLength);
    this.#directoryLength += entry.length;
    this.#count += 1;
  }

  async #append(bytes: Buffer): Promise<void> {
    let written = 0;
    while (written < bytes.length)
      written += (await this.#handle.write(bytes, written, bytes.length - written, this.#offset + written))
        .bytesWritten;
    this.#offset += bytes.length;
  }
}

/** Computes the length and CRC-32 of an open file. */
export async function lengthAndCrc(source: FileHandle): Promise<{ readonly length: number; readonly crc32: number }> {
  const buffer = Buffer.allocUnsafeSlow(chunkBytes);
  let crc = 0;
  let length = 0;
  for (;;) {
    const { bytesRead } = await source.read(buffer, 0, chunkBytes, length);
    if (bytesRead === 0) return { length, crc32: crc >>> 0 };
    crc = crcOf(buffer.subarray(0, bytesRead), crc);
    length += bytesRead;
  }
}
