import type { NotificationTest } from '../contract/notifications/notifications.ts';
import type { SettingsStore } from '../database/settings-store.ts';
import type { OutgoingDeps } from '../outgoing/outgoing-hosts.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { sendMail } from './sending/send-mail.ts';
import { sendWebhook } from './sending/send-webhook.ts';
import { webhookHeaders } from './sending/webhook-signature.ts';
import { readMailServer } from './settings/mail-server.ts';
import { secretsOf } from './settings/rule-secrets.ts';
import type { NotificationRuleRow } from './store/notification-rules-store.ts';

export interface TestRuleDeps extends OutgoingDeps {
  readonly settings: SettingsStore;
  readonly secrets: SecretBox;
  readonly baseUrl: () => string;
}

/** Sends a message of its own, and tells how that went. */
export async function testRule(deps: TestRuleDeps, rule: NotificationRuleRow): Promise<NotificationTest> {
  return rule.settings.channel === 'mail' ? testMail(deps, rule.settings.to) : testWebhook(deps, rule);
}

export async function testMail(deps: TestRuleDeps, to: string): Promise<NotificationTest> {
  const server = await readMailServer(deps);
  if (!server) return { sent: false, message: 'No server for mail is set up.', dialogue: [] };
  const baseUrl = deps.baseUrl();
  const { failure, dialogue } = await sendMail(server, {
    to,
    subject: 'Benchport can send mail',
    text: `This is a test of ${baseUrl}. Nothing has happened.\n`,
    messageId: `<test-${Date.now()}@${new URL(baseUrl).hostname.replaceAll(/[[\]]/g, '')}>`,
  });
  return { sent: failure === null, message: failure ?? `${server.host} has taken the mail.`, dialogue: [...dialogue] };
}

async function testWebhook(deps: TestRuleDeps, rule: NotificationRuleRow): Promise<NotificationTest> {
  const now = Date.now();
  const body = JSON.stringify({ type: 'test', timestamp: new Date(now).toISOString(), data: {} });
  const headers = webhookHeaders(`msg_test_${rule.id}_${now}`, body, secretsOf(deps.secrets, rule, now), now);
  const { failure, status } = await sendWebhook(deps, { url: rule.settings.to, body, headers });
  // Only the status is shown: bodies of other machines are not for whoever may name an address.
  const dialogue = [
    `C: POST ${rule.settings.to}`,
    ...Object.entries(headers).map(([name, value]) => `C: ${name}: ${value}`),
    `C: ${body}`,
    ...(status === null ? [] : [`S: ${status}`]),
  ];
  return { sent: failure === null, message: failure ?? 'The receiver has taken the message.', dialogue };
}
