/** A file of known length whose bytes are read by range. Reads beyond its end are cut there. */
export interface ByteSource {
  /** Bytes. */
  readonly length: number;
  /** Most bytes that may be read of it in all; parts of long rows are chosen accordingly. */
  readonly maxReadBytes: number;
  /** @throws PreviewError where the bytes cannot be had. */
  read(offset: number, length: number): Promise<Uint8Array>;
  /** The same for libraries that cannot wait; the thread stands still meanwhile. */
  readNow(offset: number, length: number): Uint8Array;
  /** Waits for something else from the network, such as a library, which is no work of a parser. */
  waitFor<T>(other: Promise<T>): Promise<T>;
}

export interface ReadCounts {
  readonly bytesRead: number;
  readonly requests: number;
  readonly isWaiting: boolean;
}
