import { closeSync, ftruncate } from 'node:fs';
import { promisify } from 'node:util';
import { asAskError, AskError } from './ask-error.ts';
import { digestFault } from './check-existing.ts';
import { Checkpoints } from './checkpoints.ts';
import { FileFailure, type FetchContext } from './fetch-context.ts';
import { fileAddress } from './file-address.ts';
import type { Following } from './hash-follow.ts';
import type { Lane, LaneAnswer } from './lane.ts';
import { Overlong, receiveBody, type Place } from './receive-body.ts';
import { receiveDirectly } from './receive-directly.ts';
import { meaningOf, type Meaning } from './segment-answer.ts';
import { Segments, type Segment } from './segments.ts';
import type { FileSettler } from './settle-files.ts';
import { wrongLength } from './small-file.ts';
import { targetError } from './target-folder-error.ts';
import type { JournalFile, Piece } from './types.ts';

const truncate = promisify(ftruncate);
// A server whose file is another one with each answer is not followed for ever.
const mostBeginnings = 4;

/** A file that is fetched in segments, over as many connections as ask for them. */
export class SegmentedFile {
  readonly file: JournalFile;
  readonly #context: FetchContext;
  readonly #fd: number;
  readonly #onChange: () => void;
  #length: number | null;
  #etag: string | null;
  #segments: Segments;
  #checkpoints: Checkpoints;
  #following: Following;
  /** Whether an answer of this run has told what the file is like; before that, one connection asks. */
  #known = false;
  /** Whether the server sends ranges. */
  #whole = false;
  #conditional = true;
  #restarts: number;
  #beginnings = 0;
  #busy = false;
  #closed = false;

  /** @param fd of the unfinished file, which holds `pieces`; it is closed by this. */
  constructor(context: FetchContext, file: JournalFile, fd: number, pieces: readonly Piece[], onChange: () => void) {
    this.#onChange = onChange;
    [this.#context, this.file, this.#fd, this.#length, this.#etag, this.#restarts] = [context, file, fd, file.length, file.etag, file.restarts];
    this.#segments = new Segments(file.index, pieces, file.length);
    this.#checkpoints = new Checkpoints(
      context,
      file,
      fd,
      pieces.reduce((sum, [start, end]) => sum + end - start, 0),
    );
    this.#following = context.hasher.follow(fd);
    this.#following.advance(this.#segments.prefix);
  }

  /** Whether all bytes have come. */
  get isComplete(): boolean {
    return !this.#busy && this.#segments.isComplete;
  }

  get isFetching(): boolean {
    return !this.#segments.isComplete;
  }

  /** Bytes in the journal. */
  get journalled(): number {
    return this.#checkpoints.journalled;
  }

  /** Bytes that the checksum has read. */
  get hashed(): number {
    return this.#following.at;
  }

  /** Takes the next range; null when there is none to be taken now. */
  take(rate: number, lanes: number): Segment | null {
    const waits = this.#busy || this.#closed || ((!this.#known || this.#whole) && this.#segments.coming.size > 0);
    return waits ? null : this.#segments.next(rate, lanes);
  }

  /** Fetches a range that was taken. @throws AskError, FileFailure, TargetError, or the reason of the signal; what has come stays. */
  async fetch(segment: Segment, lane: Lane): Promise<void> {
    const { counters, signal } = this.#context;
    counters.coming.add(segment);
    try {
      await this.#fetch(segment, lane, AbortSignal.any([signal, segment.stop.signal]));
    } catch (error) {
      signal.throwIfAborted();
      // It was stopped because the file is begun anew.
      if (!segment.stop.signal.aborted) throw error;
    } finally {
      counters.coming.delete(segment);
      this.#segments.release(segment);
    }
  }

  async #fetch(segment: Segment, lane: Lane, signal: AbortSignal): Promise<void> {
    const asked = { start: segment.start, end: segment.end, conditional: this.#conditional && this.#etag !== null && !this.#segments.isEmpty };
    const plain = segment.start === 0 && segment.end === Number.POSITIVE_INFINITY;
    const answer = await lane.ask({
      path: fileAddress(this.#context, this.file),
      headers: {
        ...(plain ? {} : { range: `bytes=${asked.start}-${Number.isFinite(asked.end) ? asked.end - 1 : ''}` }),
        ...(asked.conditional && this.#etag !== null ? { 'if-range': this.#etag } : {}),
      },
      signal,
    });
    try {
      const meaning = meaningOf(answer, asked, this.file, { length: this.#length, etag: this.#etag });
      if (await this.#prepare(segment, meaning)) await this.#receive(segment, lane, answer, signal);
    } finally {
      answer.end();
    }
  }

  /** @returns whether the body is to be written at the segment's place. */
  async #prepare(segment: Segment, meaning: Meaning): Promise<boolean> {
    if (meaning.kind === 'condition-ignored') {
      this.#conditional = false;
      return false;
    }
    if (meaning.kind === 'changed') {
      await this.#restart(segment, 'The file has changed on the server; it is fetched from its start.');
      return false;
    }
    if (meaning.kind === 'whole') {
      if (!this.#segments.isEmpty)
        await this.#restart(segment, 'The server sends the file from its start, because it has changed or because it sends no ranges.');
      this.#whole = true;
      this.#segments.widen(segment, this.#length ?? meaning.length);
    } else if (meaning.end < segment.end && Number.isFinite(segment.end)) this.#segments.shorten(segment, meaning.end);
    else if (!Number.isFinite(segment.end)) segment.end = meaning.end;
    if (!this.#known || this.#whole) this.#begin(meaning.length, meaning.etag);
    return true;
  }

  #begin(length: number | null, etag: string | null): void {
    this.#known = true;
    this.#length ??= length;
    // Of what was begun before with a tag, the tag stays although this answer does not repeat it.
    if (this.#segments.isEmpty || this.#etag === null) this.#etag = etag;
    this.#checkpoints.with({ kind: 'begin', index: this.file.index, etag: this.#etag, length: this.#length });
    this.#onChange();
  }

  async #receive(segment: Segment, lane: Lane, answer: LaneAnswer, signal: AbortSignal): Promise<void> {
    const [fd, segments] = [this.#fd, this.#segments];
    try {
      const place: Place = {
        fd,
        share: lane.share,
        start: segment.at,
        end: segment.end,
        wrote: (start, end) => {
          segment.at = end;
          segments.wrote(start, end);
          this.#checkpoints.add([start, end], lane.share);
          this.#following.advance(segments.prefix);
        },
      };
      const context = { ...this.#context, signal };
      const at = await (answer.way === 'node' ? receiveBody(context, answer.answer, place) : receiveDirectly(context, answer.read, place));
      if (segment.end === Number.POSITIVE_INFINITY) this.#ended(segment, at);
      else if (at < segment.end) throw asAskError(null, answer.url);
    } catch (error) {
      if (error instanceof Overlong) {
        if (this.#whole) throw wrongLength(this.file, null);
        throw new AskError('status', 'bad-answer', `${answer.url.host} sends more bytes than were asked for.`);
      }
      if (error instanceof Error && 'syscall' in error && isOfDisk(error.syscall)) throw targetError(error, this.file.path);
      throw error instanceof FileFailure ? error : asAskError(error, answer.url);
    }
  }

  /** A body without a length has ended: that is the length. */
  #ended(segment: Segment, at: number): void {
    [this.#length, segment.end] = [at, at];
    this.#checkpoints.with({ kind: 'begin', index: this.file.index, etag: this.#etag, length: at });
  }

  /** Everything of it is worthless. Other connections stop first, because what they write would land among the new bytes. */
  async #restart(own: Segment | null, message: string, counts = false): Promise<void> {
    // Another connection was faster.
    own?.stop.signal.throwIfAborted();
    this.#beginnings += 1;
    if (this.#beginnings >= mostBeginnings) throw new FileFailure('file-changed', 'The server sends another file with each request.');
    const { journal, plan, counters } = this.#context;
    this.#busy = true;
    try {
      const others = [...this.#segments.coming].filter((one) => one !== own);
      for (const one of others) one.stop.abort(new Error('begun anew'));
      await Promise.all(others.map((one) => one.ended.promise));
      await this.#checkpoints.flush();
      await this.#following.drop();
      await truncate(this.#fd, 0);
      await journal.record(plan.id, [{ kind: 'restart', index: this.file.index, counts }]);
      await journal.log(plan.id, 'warn', message);
      counters.bytesDone -= this.#checkpoints.journalled;
      this.#checkpoints.forget();
      [this.#length, this.#etag, this.#known, this.#whole] = [this.file.length, null, false, false];
      this.#segments.reset(own, this.file.length);
      this.#following = this.#context.hasher.follow(this.#fd);
    } finally {
      this.#busy = false;
      this.#onChange();
    }
  }

  /**
   * All bytes have come: waits for their checksums and gives the file its name.
   *
   * @returns false when they were wrong for the first time, and the file is to be fetched once more.
   * @throws FileFailure when they were wrong twice.
   */
  async conclude(settler: FileSettler): Promise<boolean> {
    this.#busy = true;
    await this.#checkpoints.flush();
    const digest = await this.#following.digest().catch((error: unknown) => {
      throw targetError(error, this.file.path);
    });
    const fault = digestFault({ ...this.file, length: this.#length }, digest);
    if (fault === null) {
      this.#closed = true;
      await settler.add({ file: this.file, fd: this.#fd, digest, counted: this.#checkpoints.journalled });
      return true;
    }
    if (this.#restarts > 0) throw new FileFailure(fault.reason, `Fetched twice, and wrong twice: ${fault.message}`);
    this.#restarts += 1;
    await this.#restart(null, `${fault.message} It is fetched once more.`, true);
    return false;
  }

  /** Ends with what is there: on disk, and in the journal unless `discard`. */
  async close(discard: boolean): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const one of this.#segments.coming) one.stop.abort(new Error('closed'));
    await Promise.all([...this.#segments.coming].map((one) => one.ended.promise));
    await this.#checkpoints.flush();
    await this.#following.drop();
    closeSync(this.#fd);
    if (discard) this.#context.target.discard(this.file.path);
  }
}

function isOfDisk(syscall: unknown): boolean {
  return syscall === 'write' || syscall === 'writev' || syscall === 'ftruncate';
}
