export interface IngestLimitSettings {
  /** Requests of one key: at once after a rest, and each second for ever. */
  readonly keyBurst: number;
  readonly keyPerSecond: number;
  /** The same for the whole installation. */
  readonly burst: number;
  readonly perSecond: number;
  /** Bytes of one key's requests, as they come and inflated: at once after a rest, and each second for ever. A network without a key has the same. */
  readonly keyBytesBurst: number;
  readonly keyBytesPerSecond: number;
  /** Requests that are being worked on, and bytes of them in memory. */
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
