import type { NotificationRuleInput } from '../../../src-main/service/contract/notifications/notifications.ts';

/** A rule that tells of altered files at once. @param to the address of a webhook, or of mail. */
export const ruleTo = (to: string, changes: Partial<NotificationRuleInput> = {}): NotificationRuleInput => ({
  name: 'all',
  kinds: ['degraded'],
  everybody: false,
  project_id: null,
  channel: to.includes('://') ? 'webhook' : 'mail',
  to,
  digest: 'none',
  quiet_from: null,
  quiet_until: null,
  paused: false,
  ...changes,
});
