export interface IngestLimitSettings {
  /** Requests of one key: the burst after a rest, and the sustained rate a second. */
  readonly keyBurst: number;
  readonly keyPerSecond: number;
  /**
   * Requests of the whole installation: the burst after a rest, and the sustained rate a second.
   */
  readonly burst: number;
  readonly perSecond: number;
  /**
   * Bytes of one key's requests, as received and inflated: the burst after a rest, and the
   * sustained rate a second. Also the limit of a network without a key.
   */
  readonly keyBytesBurst: number;
  readonly keyBytesPerSecond: number;
  /** Requests in progress, and their bytes in memory. */
  readonly waiting: number;
  readonly waitingBytes: number;
}

export const defaultIngestLimits: IngestLimitSettings = {
  keyBurst: 5000,
  keyPerSecond: 50,
  burst: 20_000,
  perSecond: 200,
  keyBytesBurst: 256 * 1024 * 1024,
  keyBytesPerSecond: 1024 * 1024,
  waiting: 1000,
  waitingBytes: 64 * 1024 * 1024,
};
