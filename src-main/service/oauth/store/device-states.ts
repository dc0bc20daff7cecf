import { statesBefore, type Transitions } from '../../../../src-shared/states/transitions.ts';
import { stateList } from '../../database/transition-sql.ts';

export type DeviceStage = 'waiting' | 'approved' | 'denied' | 'used' | 'expired';
export type DeviceEvent = 'approve' | 'deny' | 'poll';

/** The next state of a device code; in time all but a used one expire. */
export const deviceTransitions: Transitions<DeviceStage, DeviceEvent> = {
  waiting: { approve: 'approved', deny: 'denied', poll: 'ignored' },
  // Each code has one decision and yields one token.
  approved: { approve: 'refused', deny: 'refused', poll: 'used' },
  denied: { approve: 'refused', deny: 'refused', poll: 'refused' },
  used: { approve: 'refused', deny: 'refused', poll: 'refused' },
  expired: { approve: 'refused', deny: 'refused', poll: 'refused' },
};

/** The stage of a row of `oauth_device_codes` at the time `@now`, as an expression of SQL. */
export const deviceStageSql = `CASE WHEN used_at IS NOT NULL THEN 'used' WHEN expires_at <= @now THEN 'expired' ELSE ifnull(decision, 'waiting') END`;

/** The condition that an event changes a row. */
export function changedBy(event: DeviceEvent): string {
  return `${deviceStageSql} IN ${stateList(statesBefore(deviceTransitions, event))}`;
}
