/** What one TCP door holds of connections and of requests that come or go slowly. Times are milliseconds. */
export interface DoorLimits {
  /** Connections in all; the next is closed. */
  readonly inAll: number;
  /** Connections of one address. */
  readonly perAddress: number;
  /** Requests of one client whose bodies have not come to their end, at all doors together; behind a trusted proxy, of each of its clients. */
  readonly unfinishedPerClient: number;
  /** For the head of a request to arrive, and for the first one after a connection was made. */
  readonly head: number;
  /** For a whole request to arrive, with its body. */
  readonly request: number;
  /** A kept connection without a request. */
  readonly idle: number;
  /** For the client to take a piece of an answer that waits to leave, of at most 256 KiB. */
  readonly taking: number;
  /** How often what is too slow is looked for. */
  readonly lookEvery: number;
}

const second = 1000;

/** Where `benchport serve` listens, and the loopback of a workstation. */
export const usualDoorLimits: DoorLimits = {
  inAll: 2000,
  perAddress: 500,
  unfinishedPerClient: 250,
  head: 20 * second,
  request: 120 * second,
  // Longer than the minute for which reverse proxies keep theirs: they must be the ones that close.
  idle: 72 * second,
  taking: 300 * second,
  lookEvery: 5 * second,
};

/** The door for the local network of a workstation. */
export const usualLanLimits: DoorLimits = { ...usualDoorLimits, inAll: 1000, perAddress: 200 };

/** Address and headers of a request together, in bytes. */
export const mostHeadBytes = 16 * 1024;
/** A part of an address between two slashes. */
export const mostPartCharacters = 1024;
/** Headers of a request. */
export const mostHeaders = 100;
