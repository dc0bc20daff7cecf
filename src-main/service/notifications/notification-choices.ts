import type { NotificationChoices } from '../contract/notifications/notifications.ts';
import type { SettingsStore } from '../database/settings-store.ts';
import { mailServerShape } from './settings/mail-server.ts';
import { maxRules } from './store/notification-rules-store.ts';

/** Facts by which a user makes a rule, without the settings that are for administrators. */
export async function notificationChoices(settings: SettingsStore, now: Date): Promise<NotificationChoices> {
  return {
    mail: (await mailServerShape(settings)) !== null,
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    utc_offset_minutes: 0 - now.getTimezoneOffset(),
    max_rules: maxRules,
  };
}
