/** What one TCP door holds of connections and of requests that come or go slowly. Times are milliseconds. */
export interface ListenerLimits {
  /** Connections in all; the next is closed. */
  readonly maxConnections: number;
  /** Connections of one address. */
  readonly maxPerAddress: number;
  /** Requests of one client whose bodies have not come to their end, at all doors together; behind a trusted proxy, of each of its clients. */
  readonly maxUnfinishedPerClient: number;
  /** For the head of a request to arrive, and for the first one after a connection was made. */
  readonly headTimeoutMs: number;
  /** For a whole request to arrive, with its body. */
  readonly requestTimeoutMs: number;
  /** A kept connection without a request. */
  readonly idleTimeoutMs: number;
  /** For the client to take a piece of an answer that waits to leave, of at most 256 KiB. */
  readonly writeTimeoutMs: number;
  /** How often what is too slow is looked for. */
  readonly sweepEveryMs: number;
}

const second = 1000;

/** Where `benchport serve` listens, and the loopback of a workstation. */
export const defaultListenerLimits: ListenerLimits = {
  maxConnections: 2000,
  maxPerAddress: 500,
  maxUnfinishedPerClient: 250,
  headTimeoutMs: 20 * second,
  requestTimeoutMs: 120 * second,
  // Longer than the minute for which reverse proxies keep theirs: they must be the ones that close.
  idleTimeoutMs: 72 * second,
  writeTimeoutMs: 300 * second,
  sweepEveryMs: 5 * second,
};

/** The door for the local network of a workstation. */
export const defaultLanListenerLimits: ListenerLimits = {
  ...defaultListenerLimits,
  maxConnections: 1000,
  maxPerAddress: 200,
};

/** Address and headers of a request together, in bytes. */
export const maxHeadBytes = 16 * 1024;
/** A part of an address between two slashes. */
export const maxPathSegmentLength = 1024;
/** Headers of a request. */
export const maxHeaders = 100;
