import { mailServerPath, notificationsPath } from '../queries/notification-queries.ts';
import type { Api } from '../requests/request.ts';
import type {
  MailServer,
  MailServerInput,
  NewNotificationRule,
  NotificationRule,
  NotificationRuleInput,
  NotificationTest,
} from '../requests/types.ts';

/** Changes to the user's own rules, and by administrators to the server for mail. */
export function createNotificationActions(api: Api) {
  return {
    addNotificationRule: (rule: NotificationRuleInput) =>
      api.json<NewNotificationRule>(notificationsPath, { method: 'POST', body: rule }),
    changeNotificationRule: (id: number, rule: NotificationRuleInput) =>
      api.json<NotificationRule>(`${notificationsPath}/${id}`, { method: 'PUT', body: rule }),
    removeNotificationRule: (id: number) => api.nothing(`${notificationsPath}/${id}`, { method: 'DELETE' }),
    rotateNotificationSecret: (id: number) =>
      api.json<{ readonly secret: string }>(`${notificationsPath}/${id}/secret`, { method: 'POST', body: {} }),
    testNotificationRule: (id: number) =>
      api.json<NotificationTest>(`${notificationsPath}/${id}/test`, { method: 'POST', body: {} }),
    /** @param server null: no mail is sent any more. */
    setMailServer: (server: MailServerInput | null) =>
      api.json<MailServer>(mailServerPath, { method: 'PUT', body: server }),
    testMailServer: (to: string) =>
      api.json<NotificationTest>(`${mailServerPath}/test`, { method: 'POST', body: { to } }),
  };
}
