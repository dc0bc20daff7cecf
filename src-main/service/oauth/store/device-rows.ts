import type { DeviceStage } from './device-states.ts';

/** A device that waits for its user's decision. */
export interface WaitingDevice {
  readonly id: number;
  readonly application_id: number;
  readonly scopes: string;
}

/** The row that a poll reads. */
export interface DeviceRow extends WaitingDevice {
  readonly stage: DeviceStage;
  readonly interval_seconds: number;
  readonly last_polled_at: number | null;
  readonly user_id: number | null;
  readonly signed_in_at: number | null;
}
