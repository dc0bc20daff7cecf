/**
 * How a download stands: every file or the ZIP arrived whole, only a part was asked for and sent, something did not reach its end, only the manifest was read,
 * a proxy sends it, or the service was killed meanwhile.
 */
export type DownloadOutcome = 'running' | 'whole' | 'part' | 'failed' | 'list' | 'handed-over' | 'killed';

/** A download as it is written; its transfers have rows of their own. */
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
  /** Of the measurement. */
  readonly fileCount: number;
  readonly filesWhole: number;
  /** Whether the ZIP arrived whole. */
  readonly asArchive: boolean;
  readonly requests: number;
  /** Of files and the archive, without manifests. */
  readonly bytesSent: number;
  readonly outcome: DownloadOutcome;
  /** Outcome of the last transfer that failed. */
  readonly reason: string | null;
}
