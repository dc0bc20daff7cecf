import { closeSync, ftruncate } from 'node:fs';
import { promisify } from 'node:util';
import type { FileDigest } from '../../../files/file-digest.ts';
import { Checkpoints } from './checkpoints.ts';
import type { Share } from './share.ts';
import type { FetchContext } from './fetch-context.ts';
import type { IncrementalHash } from '../checksums/incremental-hash.ts';
import { bytesIn, gapsOf } from '../pieces.ts';
import type { WriteRange } from './receive-body.ts';
import { Segments, type Segment } from './segments.ts';
import { targetError } from '../../../files/target-folder-error.ts';
import type { JournalChange, JournalFile, Piece } from '../types.ts';

const truncate = promisify(ftruncate);

/** The bytes of a file fetched in segments: those on disk, in the journal, and hashed so far. */
export class SegmentedBytes {
  readonly segments: Segments;
  readonly fd: number;
  readonly #context: FetchContext;
  readonly #file: JournalFile;
  readonly #checkpoints: Checkpoints;
  #following: IncrementalHash;

  /** @param fd of the partial file, which holds `pieces`. */
  constructor(context: FetchContext, file: JournalFile, fd: number, pieces: readonly Piece[]) {
    [this.#context, this.#file, this.fd] = [context, file, fd];
    this.segments = new Segments(file.index, pieces, file.length);
    this.#checkpoints = new Checkpoints(context, file, fd, bytesIn(pieces));
    this.#following = context.hasher.follow(fd);
    this.#following.advance(this.segments.prefix);
  }

  /** Bytes in the journal. */
  get journalled(): number {
    return this.#checkpoints.journalled;
  }

  /** Bytes hashed. */
  get hashed(): number {
    return this.#following.at;
  }

  /** Where to write the rest of a segment. */
  placeOf(segment: Segment, share: Share): WriteRange {
    const wrote = (start: number, end: number): void => {
      segment.at = end;
      this.segments.wrote(start, end);
      this.#checkpoints.add([start, end], share);
      this.#following.advance(this.segments.prefix);
    };
    return { fd: this.fd, share, start: segment.at, end: segment.end, wrote };
  }

  /** Adds a change that is committed together with the next bytes. */
  with(change: JournalChange): void {
    this.#checkpoints.with(change);
  }

  /**
   * Discards all bytes. Stops other connections first, because their writes would mix with the new
   * bytes.
   *
   * @param counts whether this counts as a failed attempt
   */
  async empty(own: Segment | null, counts: boolean): Promise<void> {
    const { journal, plan, counters, hasher } = this.#context;
    await this.#stop([...this.segments.inFlight].filter((one) => one !== own));
    await this.#checkpoints.flush();
    await this.#following.drop();
    await truncate(this.fd, 0);
    await journal.record(plan.id, [{ kind: 'restart', index: this.#file.index, counts }]);
    counters.bytesDone -= this.#checkpoints.journalled;
    this.#checkpoints.forget(0);
    this.segments.reset(own, this.#file.length);
    this.#following = hasher.follow(this.fd);
  }

  /**
   * Discards the ranges that are wrong, of a file that is whole; it is read again from the beginning
   * behind the bytes that take their place. Counts as a failed attempt.
   */
  async keepAllBut(wrong: readonly Piece[], length: number, etag: string | null): Promise<void> {
    const { journal, plan, counters, hasher } = this.#context;
    await this.#following.drop();
    const right = gapsOf(wrong, length);
    const { index } = this.#file;
    await journal.record(plan.id, [
      { kind: 'restart', index, counts: true },
      { kind: 'begin', index, etag, length },
      { kind: 'pieces', index, pieces: right },
    ]);
    counters.bytesDone -= bytesIn(wrong);
    this.#checkpoints.forget(bytesIn(right));
    this.segments.keep(right, length);
    this.#following = hasher.follow(this.fd);
    this.#following.advance(this.segments.prefix);
  }

  /** The checksums, once everything is in the journal. @throws TargetError */
  async digest(): Promise<FileDigest> {
    await this.#checkpoints.flush();
    return this.#following.digest().catch((error: unknown) => {
      throw targetError(error, this.#file.path);
    });
  }

  /** Stops; the bytes written so far are on disk and in the journal. */
  async close(): Promise<void> {
    await this.#stop([...this.segments.inFlight]);
    await this.#checkpoints.flush();
    await this.#following.drop();
    closeSync(this.fd);
  }

  async #stop(segments: readonly Segment[]): Promise<void> {
    for (const one of segments) one.stop.abort(new Error('begun anew, or closed'));
    await Promise.all(segments.map((one) => one.ended.promise));
  }
}
