/** A device that waits for its user's decision. */
export interface WaitingDevice {
  readonly id: number;
  readonly application_id: number;
  readonly scopes: string;
}

/** The row that a poll reads. */
export interface DeviceRow extends WaitingDevice {
  readonly expires_at: number;
  readonly interval_seconds: number;
  readonly last_polled_at: number | null;
  readonly user_id: number | null;
  readonly signed_in_at: number | null;
  readonly decision: 'approved' | 'denied' | null;
  readonly used_at: number | null;
}
