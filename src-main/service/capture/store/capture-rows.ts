import type { CaptureState } from '../../../../src-shared/states/capture-states.ts';
import type { CaptureRuleInput, CaptureRuleState } from '../../contract/capture/rules.ts';
import type { CaptureReason } from '../../contract/capture/runs.ts';

/** A rule as it is stored, with its settings read. */
export interface CaptureRuleRow {
  readonly id: number;
  readonly settings: CaptureRuleInput;
  readonly state: CaptureRuleState;
  readonly message: string | null;
  readonly since: number;
  readonly looked_at: number | null;
  readonly look_every_ms: number | null;
  /** Inode of the folder; null before it was first read. */
  readonly root: string | null;
  /** Whether what was there before the rule is known. */
  readonly is_begun: 0 | 1;
  readonly created_at: number;
}

export interface CaptureRunRow extends Look {
  readonly id: number;
  readonly rule_id: number;
  /** Path below the folder. */
  readonly name: string;
  readonly generation: number;
  readonly state: CaptureState;
  readonly reason: CaptureReason | null;
  readonly message: string | null;
  readonly first_seen_at: number;
  readonly registered_signature: string | null;
  readonly measurement_id: string | null;
  /** A `RegistrationPlan` as JSON, while it is being registered. */
  readonly plan: string | null;
  readonly wanted_id: string | null;
  readonly leaves_out: 0 | 1;
  readonly is_forced: 0 | 1;
  readonly missing_since: number | null;
}

/** Findings of the last look at a run. */
export interface Look {
  readonly inode: string;
  readonly activity: string;
  readonly signature: string;
  readonly file_count: number;
  readonly total_bytes: number;
  readonly changed_at: number;
  readonly ready_at: number | null;
  readonly longest_gap_ms: number;
}

/** Under which names a run is registered, and who may read it. */
export interface RegistrationPlan {
  readonly id: string;
  readonly title: string;
  readonly ownerId: number;
  readonly projectId: number | null;
  readonly readers: readonly ({ readonly userId: number } | { readonly everyone: true })[];
  readonly pushProject: string | null;
}

export interface NewRun {
  readonly name: string;
  readonly inode: string;
  readonly generation: number;
  readonly state: Extract<CaptureState, 'seen' | 'skipped'>;
  readonly reason: CaptureReason | null;
}

/** Why a run is in its state. */
export interface Cause {
  readonly reason: CaptureReason | null;
  readonly message: string | null;
}

export const noCause: Cause = { reason: null, message: null };

export interface HistoryRow extends Cause {
  readonly at: number;
  readonly state: CaptureState;
}
