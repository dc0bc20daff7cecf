import { randomBytes } from 'node:crypto';
import { openText, sealText } from '../../secrets/sealed-text.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import type { NotificationRuleRow } from '../store/notification-rules-store.ts';
import type { NotificationStores } from '../store/stores.ts';

const prefix = 'whsec_';
const secretBytes = 32;

/** For how long messages are signed with the secret before a rotation as well. */
const bothMs = 86_400_000;

const purposeOf = (ruleId: number): string => `webhook:${ruleId}`;

/** The secrets that messages of a rule are signed with now. */
export function secretsOf(secrets: SecretBox, rule: NotificationRuleRow, now: number): readonly string[] {
  const isOldValid = rule.rotated_at !== null && now - rule.rotated_at < bothMs;
  return [rule.secret, isOldValid ? rule.old_secret : null].flatMap((sealed) =>
    sealed === null ? [] : (openText(secrets, purposeOf(rule.id), Buffer.from(sealed)) ?? []),
  );
}

/** Gives a rule a new secret. @returns it, to be shown once. */
export async function rotateSecret(
  { secrets, notificationRules }: Pick<NotificationStores, 'notificationRules'> & { readonly secrets: SecretBox },
  rule: NotificationRuleRow,
  now: number,
): Promise<string> {
  // Standard Webhooks 1.0: the prefix and base64.
  const secret = `${prefix}${randomBytes(secretBytes).toString('base64')}`;
  await notificationRules.setSecret(rule.id, sealText(secrets, purposeOf(rule.id), secret), rule.secret, now);
  return secret;
}
