import { createHmac } from 'node:crypto';

const prefix = 'whsec_';

/**
 * Headers of a signed message (Standard Webhooks 1.0).
 *
 * @param id the same for each attempt.
 * @param secrets as they are shown; after a rotation the receiver accepts either.
 */
export function webhookHeaders(
  id: string,
  body: string,
  secrets: readonly string[],
  now: number,
): Readonly<Record<string, string>> {
  const timestamp = Math.floor(now / 1000);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
