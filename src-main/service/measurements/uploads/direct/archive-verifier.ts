import path from 'node:path';
import type { StreamCheckpoint } from '../../store/upload-parts-store.ts';
import { directoryBytes, localHeader } from '../members/expected-bytes.ts';
import { fileOfLine, manifestName, type ExpectedArchive, type ExpectedFile } from '../members/expected-file.ts';
import { LineReader } from '../members/line-reader.ts';
import { DamagedError } from '../members/member-receiver.ts';
import type { StreamVerifier } from './stream-verifier.ts';

/** The checksums of a file, computed while its bytes come. */
export interface RunningHash {
  add(chunk: Buffer): void;
  readonly crc32: number;
  /** May be called once. */
  equals(file: ExpectedFile): boolean;
}

/** The file whose bytes come. */
interface CurrentMember<Hash> {
  readonly file: ExpectedFile;
  readonly header: Buffer;
  /** Bytes of header and file together. */
  position: number;
  readonly hash: Hash;
}

export interface VerifierOptions<Hash extends RunningHash> {
  /** @param before Bytes that came earlier and are not given, and their CRC-32. */
  readonly newHash: (file: ExpectedFile, before: { readonly length: number; readonly crc32: number }) => Hash;
  /** Called with each file that came whole and is right. */
  readonly onMember: (index: number, file: ExpectedFile, hash: Hash) => void;
}

export const beginning: StreamCheckpoint = { member: 0, member_offset: 0, line: 0, position: 0, crc32: 0 };

/**
 * Compares the bytes of an archive, which come in order, with those that follow from its manifest,
 * and those of its files with their checksums. With synchronous calls, for a worker thread.
 */
export class ArchiveVerifier<Hash extends RunningHash> implements StreamVerifier {
  readonly #folder: string;
  readonly #archive: ExpectedArchive;
  readonly #options: VerifierOptions<Hash>;
  readonly #lines: LineReader;
  #count: number;
  #memberOffset: number;
  #line: number;
  #member: CurrentMember<Hash> | null = null;
  #directory: Generator<Buffer> | null = null;
  #expected: Buffer = Buffer.alloc(0);
  #offset: number;

  /** @param folder The one with the stored manifest. */
  constructor(folder: string, archive: ExpectedArchive, from: StreamCheckpoint, options: VerifierOptions<Hash>) {
    this.#folder = folder;
    this.#archive = archive;
    this.#options = options;
    this.#count = from.member;
    this.#memberOffset = from.member_offset;
    this.#line = from.line;
    this.#offset = from.member_offset + from.position;
    this.#lines = new LineReader(path.join(folder, manifestName), from.line);
    this.#begin(from);
    this.#advance();
  }

  /** Number of bytes before the next one. */
  get offset(): number {
    return this.#offset;
  }

  get checkpoint(): StreamCheckpoint {
    return {
      member: this.#count,
      member_offset: this.#memberOffset,
      line: this.#line,
      position: this.#offset - this.#memberOffset,
      crc32: this.#member?.hash.crc32 ?? 0,
    };
  }

  /** @throws DamagedError */
  write(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      const taken = this.#take(chunk.subarray(at));
      at += taken;
      this.#offset += taken;
      this.#advance();
    }
  }

  close(): void {
    this.#directory?.return(undefined);
    this.#lines.close();
  }

  #begin({ position, crc32 }: Pick<StreamCheckpoint, 'position' | 'crc32'>): void {
    this.#line = this.#lines.position;
    const text = this.#lines.next();
    if (text === null) {
      this.#member = null;
      this.#directory = directoryBytes(this.#folder, this.#archive, this.#offset);
      this.#expected = this.#nextExpected();
      return;
    }
    const file = fileOfLine(text);
    const header = localHeader(file);
    const length = Math.max(0, position - header.length);
    this.#member = { file, header, position, hash: this.#options.newHash(file, { length, crc32 }) };
  }

  #take(bytes: Buffer): number {
    const member = this.#member;
    if (member === null) {
      const taken = this.#compare(bytes, this.#expected, 'after its files');
      this.#expected = this.#expected.subarray(taken);
      return taken;
    }
    const { header, file, position, hash } = member;
    let taken;
    if (position < header.length) taken = this.#compare(bytes, header.subarray(position), `before ${file.path}`);
    else {
      const part = bytes.subarray(0, header.length + file.length - position);
      hash.add(part);
      taken = part.length;
    }
    member.position += taken;
    return taken;
  }

  #compare(bytes: Buffer, expected: Buffer, where: string): number {
    if (expected.length === 0) throw new DamagedError('More came than its manifest announces.');
    const part = bytes.subarray(0, expected.length);
    if (!part.equals(expected.subarray(0, part.length)))
      throw new DamagedError(`The archive is not that of its manifest: it differs ${where}.`);
    return part.length;
  }

  #advance(): void {
    for (let member = this.#member; member !== null; member = this.#member) {
      const { file, header, position, hash } = member;
      if (position < header.length + file.length) return;
      if (!hash.equals(file)) throw new DamagedError(`${file.path} came with other bytes than its manifest announces.`);
      this.#options.onMember(this.#count, file, hash);
      this.#count += 1;
      this.#memberOffset += header.length + file.length;
      this.#begin({ position: 0, crc32: 0 });
    }
    if (this.#expected.length === 0) this.#expected = this.#nextExpected();
  }

  #nextExpected(): Buffer {
    return this.#directory?.next().value ?? Buffer.alloc(0);
  }
}
