import type { CopyState } from '../../../../src-shared/states/copy-states.ts';
import type { CopyReason } from '../../contract/copies/copies.ts';

/** A row of `copies`. Times are milliseconds since 1970. */
export interface CopyRow {
  readonly id: number;
  readonly measurement_id: string;
  readonly title: string;
  /** Of the manifest, as in `measurements.archive_tag`. */
  readonly manifest_sha256: string;
  readonly base_url: string;
  readonly server_id: number | null;
  readonly server_name: string;
  readonly project: string | null;
  readonly state: CopyState;
  readonly reason: CopyReason | null;
  readonly message: string | null;
  /** Failures in a row without a new byte. */
  readonly attempts: number;
  readonly retry_at: number | null;
  readonly bytes_done: number;
  readonly bytes_total: number;
  /** Address of the upload that goes on. */
  readonly upload_url: string | null;
  readonly receipt: string | null;
  readonly verified_at: number | null;
  readonly check_at: number | null;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly ended_at: number | null;
}

export type NewCopy = Pick<
  CopyRow,
  'measurement_id' | 'title' | 'manifest_sha256' | 'base_url' | 'server_id' | 'server_name' | 'project' | 'bytes_total'
>;

/** Columns that an event sets; those that are left out become null or zero. */
export interface CopyOutcome {
  readonly reason?: CopyReason;
  readonly message?: string;
  readonly retryAt?: number;
  readonly attempts?: number;
}

/** How often a verified copy is checked again. */
export const checkEveryMs = 30 * 86_400_000;

/** A copy counts as verified for this long after it last answered, which leaves time for a second check. */
export const verifiedForMs = 2 * checkEveryMs;
