/** Limits of one TCP listener for connections and slow requests. Times are milliseconds. */
export interface ListenerLimits {
  /** Of all clients; a further connection is closed. */
  readonly maxConnections: number;
  /** Connections of one address. */
  readonly maxPerAddress: number;
  /**
   * Requests of one client whose bodies are still arriving, on all listeners together; behind a
   * trusted proxy, of each of its clients.
   */
  readonly maxUnfinishedPerClient: number;
  /** Until the head of a request is complete, also from the start of a connection. */
  readonly headTimeoutMs: number;
  /** Until a whole request is complete, with its body. */
  readonly requestTimeoutMs: number;
  /** For a kept-alive connection without a request. */
  readonly idleTimeoutMs: number;
  /** For the client to accept a chunk of a pending response, of at most 256 KiB. */
  readonly writeTimeoutMs: number;
  /** Interval of the search for clients that are too slow. */
  readonly sweepEveryMs: number;
}

const second = 1000;

/** For `benchport serve`, and the loopback of a workstation. */
export const defaultListenerLimits: ListenerLimits = {
  maxConnections: 2000,
  maxPerAddress: 500,
  maxUnfinishedPerClient: 250,
  headTimeoutMs: 20 * second,
  requestTimeoutMs: 120 * second,
  // Longer than the minute for which reverse proxies keep connections: the proxy must be the one
  // that closes.
  idleTimeoutMs: 72 * second,
  writeTimeoutMs: 300 * second,
  sweepEveryMs: 5 * second,
};

/** For the listener on the local network of a workstation. */
export const defaultLanListenerLimits: ListenerLimits = {
  ...defaultListenerLimits,
  maxConnections: 1000,
  maxPerAddress: 200,
};

/** Bytes of address and headers of a request together. */
export const maxHeadBytes = 16 * 1024;
/** Characters of a part of an address between two slashes. */
export const maxPathSegmentLength = 1024;
/** Headers of a request. */
export const maxHeaders = 100;
