import { isoTime } from '../common/iso-time.ts';
import type { Deliveries, NotificationRule } from '../contract/notifications/notifications.ts';
import type { DeliveryRow } from './store/deliveries-store.ts';
import type { NotificationRuleRow } from './store/notification-rules-store.ts';

export function ruleShape(rule: NotificationRuleRow, waiting: number): NotificationRule {
  return {
    id: rule.id,
    ...rule.settings,
    waiting,
    last_sent_at: rule.last_sent_at === null ? null : isoTime(rule.last_sent_at),
    failure: rule.failure,
    created_at: isoTime(rule.created_at),
  };
}

export function deliveryShape(row: DeliveryRow): Deliveries[number] {
  const { id, kind, subject, title, state, attempts, message } = row;
  const retryAt = row.retry_at === null ? null : isoTime(row.retry_at);
  return { id, at: isoTime(row.at), kind, subject, title, state, attempts, retry_at: retryAt, message };
}
