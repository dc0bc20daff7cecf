import { closeSync, futimesSync, mkdirSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { directoryBytes } from './expected-bytes.ts';
import { fileOfLine, manifestName, memberFile, type ExpectedArchive } from './expected-file.ts';
import { FileSyncer } from './file-syncer.ts';
import { LineReader } from './line-reader.ts';
import { sizeOf, synced } from './member-files.ts';
import { closeMember, newMember, openMember, type Member } from './member.ts';
import { Writeback, type WritebackSlot } from './writeback.ts';
import { appendCheckpoint, lastCheckpoint, type JournalledSums } from './member-journal.ts';

/** Bytes and files between checkpoints; after a kill at most so much is verified again. */
const [checkpointBytes, checkpointFiles] = [4 * 1024 * 1024, 512];

/** The bytes of an upload are not those that its manifest announces. */
export class DamagedError extends Error {}

/**
 * Takes the archive of a manifest byte by byte: compares what follows from the manifest, and stores
 * and verifies the files. With synchronous calls, for a worker thread.
 */
export class MemberReceiver {
  readonly #folder: string;
  readonly #archive: ExpectedArchive;
  readonly #lines: LineReader;
  readonly #files: FileSyncer;
  #count: number;
  #memberOffset: number;
  /** Where the line of the next file begins. */
  #line = 0;
  #member: Member | null = null;
  #directory: Generator<Buffer> | null = null;
  #expected: Buffer = Buffer.alloc(0);
  #offset: number;
  #unsynced: (JournalledSums & { readonly index: number })[] = [];
  #unsyncedBytes = 0;
  readonly #writeback: Writeback;
  /** The folder of the file that was opened last. */
  #parent = '';
  /** The offset of the last checkpoint with the bytes of a header after it. */
  #checkpointOffset: number;

  private constructor(folder: string, archive: ExpectedArchive, slot: WritebackSlot) {
    const { count, offset, head, line } = lastCheckpoint(folder);
    this.#folder = folder;
    this.#archive = archive;
    this.#writeback = new Writeback(slot);
    this.#count = count;
    this.#memberOffset = offset;
    this.#offset = offset;
    this.#checkpointOffset = offset + head;
    this.#files = new FileSyncer(folder);
    this.#lines = new LineReader(path.join(folder, manifestName), line);
  }

  /** Goes on after the bytes that are on disk; those after the last checkpoint are verified again. */
  static async open(folder: string, archive: ExpectedArchive, slot: WritebackSlot): Promise<MemberReceiver> {
    const receiver = new MemberReceiver(folder, archive, slot);
    try {
      receiver.#begin();
      await receiver.#resume();
      receiver.#resumeHeader();
      return receiver;
    } catch (error) {
      receiver.close();
      throw error;
    }
  }

  /** Number of bytes received. */
  get offset(): number {
    return this.#offset;
  }

  get isWhole(): boolean {
    return this.#offset === this.#archive.archiveBytes;
  }

  /** Whether nobody else has received bytes meanwhile. */
  isCurrent(): boolean {
    const { offset, head } = lastCheckpoint(this.#folder);
    if (offset + head !== this.#checkpointOffset) return false;
    if (this.#member === null) return true;
    const { index, position, header } = this.#member;
    return (sizeOf(memberFile(this.#folder, index)) ?? 0) === Math.max(0, position - header.length);
  }

  /** @throws DamagedError */
  async write(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length;) {
      const taken = this.#take(chunk.subarray(at));
      at += taken;
      this.#offset += taken;
      await this.#advance();
    }
    if (this.#directory !== null && this.#offset - this.#checkpointOffset >= checkpointBytes) await this.sync();
  }

  /** Everything received is on disk afterwards. */
  async sync(): Promise<void> {
    await this.#writeback.end();
    await this.#files.sync(this.#unsynced.map(({ index }) => memberFile(this.#folder, index)));
    const { index, fd } = this.#member ?? { index: 0, fd: null };
    if (fd !== null) await synced(memberFile(this.#folder, index), 'r+');
    const offset = this.#member === null ? this.#offset : this.#memberOffset;
    const head = Math.min(this.#member?.position ?? 0, this.#member?.header.length ?? 0);
    if (offset + head === this.#checkpointOffset) return;
    appendCheckpoint(this.#folder, this.#unsynced, { count: this.#count, offset, head, line: this.#line });
    this.#checkpointOffset = offset + head;
    this.#unsynced = [];
    this.#unsyncedBytes = 0;
  }

  close(): void {
    if (this.#member !== null) closeMember(this.#member, this.#writeback);
    this.#directory?.return(undefined);
    this.#lines.close();
    this.#files.close();
  }

  #begin(): void {
    this.#line = this.#lines.position;
    const line = this.#lines.next();
    if (line === null) {
      this.#member = null;
      this.#directory = directoryBytes(this.#folder, this.#archive, Math.max(this.#offset, this.#memberOffset));
      this.#expected = this.#nextExpected();
      return;
    }
    this.#member = newMember(this.#count, fileOfLine(line));
  }

  async #resume(): Promise<void> {
    for (let member = this.#member; member !== null; member = this.#member) {
      const { file, header, index } = member;
      const size = sizeOf(memberFile(this.#folder, index));
      if (size === null) return;
      if (size > file.length) return this.#drop(member);
      if (size === 0 && file.length > 0) return;
      member.position = header.length + size;
      this.#offset = this.#memberOffset + member.position;
      if (size < file.length) return this.#follow(member);
      try {
        await this.#end(member);
      } catch (error) {
        if (!(error instanceof DamagedError)) throw error;
        return this.#drop(member);
      }
    }
  }

  /** A header is in no file: how much of it came is in the checkpoint. */
  #resumeHeader(): void {
    const { count, head } = lastCheckpoint(this.#folder);
    const member = this.#member;
    if (member === null || member.index !== count || member.position > 0) return;
    member.position = Math.min(head, member.header.length);
    this.#offset = this.#memberOffset + member.position;
  }

  /** Reads what came before beside what comes. */
  #follow(member: Member): void {
    const { hash, header } = member;
    // A failure is that of the end of the file, which reads what is left.
    hash.catchUp(this.#opened(member), () => member.position - header.length).catch(() => undefined);
  }

  /** Receives a file from its beginning. */
  #drop(member: Member): void {
    closeMember(member, this.#writeback);
    rmSync(memberFile(this.#folder, member.index), { force: true });
    this.#member = newMember(member.index, member.file);
    this.#offset = this.#memberOffset;
  }

  #take(bytes: Buffer): number {
    const member = this.#member;
    if (member === null) return this.#compare(bytes, 'after its files');
    const { header, file, position } = member;
    if (position < header.length) {
      this.#expected = header.subarray(position);
      const taken = this.#compare(bytes, `before ${file.path}`);
      member.position += taken;
      return taken;
    }
    const part = bytes.subarray(0, file.length - (position - header.length));
    this.#store(member, part);
    return part.length;
  }

  #compare(bytes: Buffer, where: string): number {
    if (this.#expected.length === 0) throw new DamagedError('More came than its manifest announces.');
    const part = bytes.subarray(0, this.#expected.length);
    if (!part.equals(this.#expected.subarray(0, part.length)))
      throw new DamagedError(`The archive is not that of its manifest: it differs ${where}.`);
    this.#expected = this.#expected.subarray(part.length);
    return part.length;
  }

  #store(member: Member, part: Buffer): void {
    const fd = this.#opened(member);
    const start = member.position - member.header.length;
    for (let at = 0; at < part.length;) at += writeSync(fd, part, at, part.length - at, start + at);
    if (member.hash.length === start) member.hash.add(part);
    member.position += part.length;
    this.#writeback.follow(fd, member.position);
  }

  #opened(member: Member): number {
    if (member.fd !== null) return member.fd;
    const file = memberFile(this.#folder, member.index);
    const parent = path.dirname(file);
    if (parent !== this.#parent) mkdirSync(parent, { recursive: true, mode: 0o700 });
    this.#parent = parent;
    member.fd = openMember(file, Math.max(0, member.position - member.header.length));
    return member.fd;
  }

  async #advance(): Promise<void> {
    for (let member = this.#member; member !== null; member = this.#member) {
      if (member.position < member.header.length + member.file.length) return;
      await this.#end(member);
      if (this.#unsyncedBytes >= checkpointBytes || this.#unsynced.length >= checkpointFiles) await this.sync();
    }
    if (this.#expected.length === 0) this.#expected = this.#nextExpected();
  }

  #nextExpected(): Buffer {
    return this.#directory?.next().value ?? Buffer.alloc(0);
  }

  /** @throws DamagedError */
  async #end(member: Member): Promise<void> {
    const { file, header, hash, index } = member;
    const fd = this.#opened(member);
    await hash.catchUp(fd, () => file.length);
    await this.#writeback.end();
    if (!hash.equals(file)) throw new DamagedError(`${file.path} came with other bytes than its manifest announces.`);
    // Whole seconds, the only values that can be set exactly.
    const seconds = Math.max(0, Math.floor(file.registeredAt / 1000));
    futimesSync(fd, seconds, seconds);
    closeSync(fd);
    member.fd = null;
    this.#unsynced.push({ index, blocks: hash.blocks, pieces: hash.pieces() });
    this.#unsyncedBytes += file.length;
    this.#count += 1;
    this.#memberOffset += header.length + file.length;
    this.#begin();
  }
}
