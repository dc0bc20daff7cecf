/**
 * State of a download: all files or the ZIP were sent completely, only a part was requested and
 * sent, a transfer failed, only the manifest was read, a proxy sends the bytes, or the service was
 * killed meanwhile.
 */
export type DownloadOutcome = 'running' | 'whole' | 'part' | 'failed' | 'list' | 'handed-over' | 'killed';

/** A download as stored; its transfers have their own rows. */
export interface DownloadRow {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly lastAt: number;
  readonly userId: number;
  readonly tokenId: number | null;
  readonly applicationId: number | null;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly measurementId: string;
  /** Number of files in the measurement. */
  readonly fileCount: number;
  readonly filesWhole: number;
  /** Whether the ZIP was sent completely. */
  readonly asArchive: boolean;
  readonly requests: number;
  /** Bytes of files and archives, without manifests. */
  readonly bytesSent: number;
  readonly outcome: DownloadOutcome;
  /** Outcome of the last failed transfer. */
  readonly reason: string | null;
}
