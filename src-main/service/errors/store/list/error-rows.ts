import type { ErrorStatus } from '../../../contract/errors.ts';

/** A row of the table errors. */
export interface ErrorRow {
  readonly id: number;
  readonly project_id: number;
  readonly status: ErrorStatus;
  readonly type: string;
  readonly value: string;
  readonly culprit: string;
  readonly level: string;
  readonly platform: string;
  readonly first_seen: number;
  readonly last_seen: number;
  readonly events: number;
  readonly users: number;
  readonly first_release: string | null;
  readonly last_release: string | null;
  readonly resolved_at: number | null;
  readonly regressed_at: number | null;
}
