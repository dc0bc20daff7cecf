import type { InFlightRange } from './fetch-context.ts';
import { addPiece, bytesIn, gapsOf, prefixOf } from '../pieces.ts';
import type { Piece } from '../types.ts';

/** A range in flight. */
export interface Segment extends InFlightRange {
  /** The write position; the bytes from here to `end` are outstanding. */
  at: number;
  readonly stop: AbortController;
  readonly ended: PromiseWithResolvers<void>;
}

const minRemainderBytes = 1024 * 1024;
const minSegmentBytes = 4 * 1024 * 1024;
const maxSegmentBytes = 64 * 1024 * 1024;
// Shorter segments cost a pause each; longer ones let the checksum fall behind.
const secondsPerSegment = 0.5;

/**
 * Tracks which bytes of a file are written, in flight or free. Hands out segments from the front,
 * so that hashing can follow.
 */
export class Segments {
  readonly index: number;
  #free: Piece[];
  #written: Piece[];
  readonly inFlight = new Set<Segment>();

  constructor(index: number, written: readonly Piece[], length: number | null) {
    this.index = index;
    this.#written = [...written];
    this.#free = gapsOf(written, length ?? Number.POSITIVE_INFINITY);
  }

  /** The length of the contiguous prefix. */
  get prefix(): number {
    return prefixOf(this.#written);
  }

  get isEmpty(): boolean {
    return this.#written.length === 0;
  }

  get isComplete(): boolean {
    return this.#free.length === 0 && this.inFlight.size === 0;
  }

  wrote(start: number, end: number): void {
    addPiece(this.#written, [start, end]);
  }

  /**
   * @param rate bytes per second of the requesting connection.
   * @param connections that share the rest
   */
  next(rate: number, connections: number): Segment | null {
    const [first] = this.#free;
    if (!first) return null;
    const wanted = Math.min(Math.max(rate * secondsPerSegment, minSegmentBytes), maxSegmentBytes);
    // Segments shrink towards the end, so that all connections finish together.
    const fair = Math.max(bytesIn(this.#free) / (2 * connections), minRemainderBytes);
    const [start, end] = first;
    const until = Number.isFinite(end) ? Math.min(end, start + Math.ceil(Math.min(wanted, fair))) : end;
    if (until === end) this.#free.shift();
    else this.#free[0] = [until, end];
    const segment: Segment = {
      index: this.index,
      start,
      end: until,
      at: start,
      stop: new AbortController(),
      ended: Promise.withResolvers(),
    };
    this.inFlight.add(segment);
    return segment;
  }

  /** The server sends the whole file, whose length may be unknown. */
  widen(segment: Segment, length: number | null): void {
    this.#free = [];
    [segment.start, segment.at, segment.end] = [0, 0, length ?? Number.POSITIVE_INFINITY];
  }

  /** The server sends less than requested. */
  shorten(segment: Segment, end: number): void {
    addPiece(this.#free, [end, segment.end]);
    segment.end = end;
  }

  /** Forgets all bytes. @param own stays in flight; all others have ended */
  reset(own: Segment | null, length: number | null): void {
    [this.#written, this.#free] = [[], [[0, length ?? Number.POSITIVE_INFINITY]]];
    this.inFlight.clear();
    if (own) this.inFlight.add(own);
  }

  /** Forgets all bytes but those of some ranges, while nothing is in flight. */
  keep(written: readonly Piece[], length: number): void {
    this.#written = [...written];
    this.#free = gapsOf(written, length);
  }

  /** Returns the outstanding part to the free ranges. */
  release(segment: Segment): void {
    if (!this.inFlight.delete(segment)) return;
    if (segment.at < segment.end) addPiece(this.#free, [segment.at, segment.end]);
    segment.ended.resolve();
  }
}
