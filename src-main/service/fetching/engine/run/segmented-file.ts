import { countOf } from '../../../common/count-of.ts';
import { grouped } from '../../../common/grouped.ts';
import { toHttpRequestError } from '../../../http-client/http-request-error.ts';
import { digestFault } from '../checksums/check-existing.ts';
import { FileFailure, type FetchContext } from './fetch-context.ts';
import { fileAddress } from '../manifest/file-address.ts';
import type { DownloadConnection } from '../../../http-client/download-connection.ts';
import type { HttpResponse } from '../../../http-client/http-response.ts';
import type { Share } from './share.ts';
import { receiveSegment } from './receive-segment.ts';
import { meaningOf, type Meaning } from './segment-response.ts';
import { SegmentedBytes } from './segmented-bytes.ts';
import type { Segment } from './segments.ts';
import { wrongPieces } from './wrong-pieces.ts';
import type { FileCommitter } from './commit-files.ts';
import type { JournalFile, Piece } from '../types.ts';

// Limit for a server that sends a different file with each response.
const maxRestarts = 4;

/** A file fetched in segments over any number of connections. */
export class SegmentedFile {
  readonly file: JournalFile;
  readonly #context: FetchContext;
  readonly #bytes: SegmentedBytes;
  readonly #onChange: () => void;
  #length: number | null;
  #etag: string | null;
  /**
   * Whether a response of this run has described the file; until then only one connection requests
   * it.
   */
  #known = false;
  /** Whether the server sends whole files and no ranges. */
  #whole = false;
  #conditional = true;
  #restarts: number;
  #restartsOfRun = 0;
  #busy = false;
  #closed = false;

  /** @param fd of the partial file, which holds `pieces`; this object closes it. */
  constructor(context: FetchContext, file: JournalFile, fd: number, pieces: readonly Piece[], onChange: () => void) {
    this.#onChange = onChange;
    [this.#context, this.file, this.#length, this.#etag, this.#restarts] = [
      context,
      file,
      file.length,
      file.etag,
      file.restarts,
    ];
    this.#bytes = new SegmentedBytes(context, file, fd, pieces);
  }

  /** Whether all bytes were received. */
  get isComplete(): boolean {
    return !this.#busy && this.#bytes.segments.isComplete;
  }

  get isFetching(): boolean {
    return !this.#bytes.segments.isComplete;
  }

  /** Bytes in the journal. */
  get journalled(): number {
    return this.#bytes.journalled;
  }

  /** Bytes hashed. */
  get hashed(): number {
    return this.#bytes.hashed;
  }

  /** Takes the next segment; null if none is available now. */
  take(rate: number, connections: number): Segment | null {
    const waits =
      this.#busy || this.#closed || ((!this.#known || this.#whole) && this.#bytes.segments.inFlight.size > 0);
    return waits ? null : this.#bytes.segments.next(rate, connections);
  }

  /**
   * Fetches a segment that was taken. @throws HttpRequestError, FileFailure, TargetError, or the
   * signal's reason; received bytes are kept
   */
  async fetch(segment: Segment, connection: DownloadConnection, share: Share): Promise<void> {
    const { counters, signal } = this.#context;
    counters.inFlight.add(segment);
    try {
      await this.#fetch(segment, connection, share, AbortSignal.any([signal, segment.stop.signal]));
    } catch (error) {
      signal.throwIfAborted();
      // The segment was stopped because the file is restarted or closed.
      if (!segment.stop.signal.aborted) throw error;
    } finally {
      counters.inFlight.delete(segment);
      this.#bytes.segments.release(segment);
    }
  }

  async #fetch(segment: Segment, connection: DownloadConnection, share: Share, signal: AbortSignal): Promise<void> {
    const request = {
      start: segment.start,
      end: segment.end,
      conditional: this.#conditional && this.#etag !== null && !this.#bytes.segments.isEmpty,
    };
    const plain = segment.start === 0 && segment.end === Number.POSITIVE_INFINITY;
    const response = await connection.send({
      path: fileAddress(this.#context, this.file),
      headers: {
        ...(plain ? {} : { range: `bytes=${request.start}-${Number.isFinite(request.end) ? request.end - 1 : ''}` }),
        ...(request.conditional && this.#etag !== null ? { 'if-range': this.#etag } : {}),
      },
      signal,
    });
    try {
      const meaning = meaningOf(response, request, this.file, { length: this.#length, etag: this.#etag });
      if (await this.#prepare(segment, meaning)) await this.#receive(segment, response, share, signal);
    } finally {
      response.end();
    }
  }

  /** @returns whether to write the body at the segment's position */
  async #prepare(segment: Segment, meaning: Meaning): Promise<boolean> {
    if (meaning.kind === 'condition-ignored') {
      this.#conditional = false;
      return false;
    }
    if (meaning.kind === 'changed') {
      await this.#restart(segment, 'The file has changed on the server; it is fetched from the start.');
      return false;
    }
    if (meaning.kind === 'whole') {
      if (!this.#bytes.segments.isEmpty)
        await this.#restart(
          segment,
          'The server sends the file from the start, because it has changed or because it sends no ranges.',
        );
      this.#whole = true;
      this.#bytes.segments.widen(segment, this.#length ?? meaning.length);
    } else if (meaning.end < segment.end && Number.isFinite(segment.end))
      this.#bytes.segments.shorten(segment, meaning.end);
    else if (!Number.isFinite(segment.end)) segment.end = meaning.end;
    if (!this.#known || this.#whole) this.#begin(meaning.length, meaning.etag);
    return true;
  }

  #begin(length: number | null, etag: string | null): void {
    this.#known = true;
    this.#length ??= length;
    // A resumed file keeps its tag even if this response has none.
    if (this.#bytes.segments.isEmpty || this.#etag === null) this.#etag = etag;
    this.#bytes.with({ kind: 'begin', index: this.file.index, etag: this.#etag, length: this.#length });
    this.#onChange();
  }

  async #receive(segment: Segment, response: HttpResponse, share: Share, signal: AbortSignal): Promise<void> {
    const at = await receiveSegment(
      { ...this.#context, signal },
      this.file,
      response,
      this.#bytes.placeOf(segment, share),
      this.#whole,
    );
    if (segment.end === Number.POSITIVE_INFINITY) this.#ended(segment, at);
    else if (at < segment.end) throw toHttpRequestError(null, response.url);
  }

  /** A body of unknown length has ended, which gives the length. */
  #ended(segment: Segment, at: number): void {
    [this.#length, segment.end] = [at, at];
    this.#bytes.with({ kind: 'begin', index: this.file.index, etag: this.#etag, length: at });
  }

  /** Discards everything and starts over. */
  async #restart(own: Segment | null, message: string, counts = false): Promise<void> {
    // Another connection has already restarted the file.
    own?.stop.signal.throwIfAborted();
    this.#restartsOfRun += 1;
    if (this.#restartsOfRun >= maxRestarts)
      throw new FileFailure('file-changed', 'The server sends a different file with each request.');
    const { journal, plan } = this.#context;
    this.#busy = true;
    try {
      await this.#bytes.empty(own, counts);
      await journal.log(plan.id, 'warn', message);
      [this.#length, this.#etag, this.#known, this.#whole] = [this.file.length, null, false, false];
    } finally {
      this.#busy = false;
      this.#onChange();
    }
  }

  /**
   * Waits for the checksums of a complete file, and commits it if they match.
   *
   * @returns false after the first mismatch: the file is fetched again.
   * @throws FileFailure after the second mismatch.
   */
  async conclude(committer: FileCommitter): Promise<boolean> {
    this.#busy = true;
    const digest = await this.#bytes.digest();
    const fault = digestFault({ ...this.file, length: this.#length }, digest);
    if (fault === null) {
      this.#closed = true;
      await committer.add({
        file: this.file,
        fd: this.#bytes.fd,
        unnamed: false,
        digest,
        counted: this.#bytes.journalled,
      });
      return true;
    }
    if (this.#restarts > 0)
      throw new FileFailure(fault.reason, `Fetched twice, and wrong both times: ${fault.message}`);
    this.#restarts += 1;
    if (await this.#repair(fault.message)) return false;
    await this.#restart(null, `${fault.message} It is fetched again.`, true);
    return false;
  }

  /** Discards only the pieces that are wrong. @returns false where that cannot be told. */
  async #repair(message: string): Promise<boolean> {
    const { journal, plan } = this.#context;
    const found =
      this.#length === null ? null : await wrongPieces(this.#context, this.file, this.#bytes.fd, this.#length);
    if (found === null) return false;
    await this.#bytes.keepAllBut(found.wrong, found.length, this.#etag);
    const some = `${countOf(found.wrong.length, 'piece')} of ${grouped(found.pieces)}`;
    await journal.log(
      plan.id,
      'warn',
      `${message} ${some} ${found.wrong.length === 1 ? 'is' : 'are'} wrong, and fetched again.`,
    );
    this.#busy = false;
    this.#onChange();
    return true;
  }

  /** Stops. The bytes written so far stay on disk and in the journal unless `discard`. */
  async close(discard: boolean): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#bytes.close();
    if (discard) this.#context.target.discard(this.file.path);
  }
}
