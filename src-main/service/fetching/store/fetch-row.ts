import type { FetchReason, FetchState } from '../../contract/fetches.ts';

/** A stored fetch. */
export interface FetchRow {
  readonly id: number;
  readonly server_id: number | null;
  readonly base_url: string;
  readonly measurement_id: string;
  readonly title: string | null;
  readonly what: 'files' | 'archive';
  readonly target: string;
  readonly unpack: number;
  readonly state: FetchState;
  readonly reason: FetchReason | null;
  readonly message: string | null;
  readonly priority: number;
  readonly position: number;
  /** Consecutive failures without a new byte. */
  readonly attempts: number;
  readonly retry_at: number | null;
  readonly files_total: number | null;
  readonly files_done: number;
  readonly bytes_total: number | null;
  readonly bytes_done: number;
  readonly bytes_verified: number;
  readonly active_ms: number;
  readonly created_at: number;
  readonly started_at: number | null;
  /** Kept during a verification: a queued or running row with `ended_at` is one. */
  readonly ended_at: number | null;
  readonly verified_at: number | null;
}

/**
 * Whether this is an archive that is not verified yet; verifying its members is the last step of
 * the fetch.
 */
export function isUnverified({ what, ended_at: end }: Pick<FetchRow, 'what' | 'ended_at'>): boolean {
  return what === 'archive' && end === null;
}

export interface NewFetch {
  readonly serverId: number | null;
  readonly baseUrl: string;
  readonly measurementId: string;
  readonly title: string | null;
  readonly what: 'files' | 'archive';
  readonly chosen: readonly number[] | null;
  readonly target: string;
  readonly unpack: boolean;
  readonly priority: number;
  readonly paused: boolean;
}

/** Columns only a run needs; they may be long. */
export interface FetchOrder {
  readonly chosen: readonly number[] | null;
  readonly manifestDigest: Uint8Array | null;
}

/** Changes to a fetch beside its state; absent members stay unchanged. */
export interface FetchUpdate {
  readonly reason?: FetchReason | null;
  readonly message?: string | null;
  readonly serverId?: number | null;
  readonly baseUrl?: string;
  readonly attempts?: number;
  readonly retryAt?: number | null;
  readonly startedAt?: number;
  readonly verifiedAt?: number | null;
  readonly target?: string;
  readonly priority?: number;
  /** Added to the total active time. */
  readonly activeMs?: number;
}
