import { HttpRequestError } from '../../http-client/http-request-error.ts';
import { sendGuarded } from '../../http-client/send-guarded.ts';
import type { OutgoingDeps } from '../../outgoing/outgoing-hosts.ts';

export interface WebhookMessage {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface WebhookResult {
  readonly failure: string | null;
  /** Of the answer; null if there was none. */
  readonly status: number | null;
  /** Whether the receiver wants no more messages (410). */
  readonly isGone: boolean;
  /** Whether nothing answered, so that other messages need not be tried. */
  readonly isUnreachable: boolean;
}

// Standard Webhooks: 15 to 30 seconds.
const timeoutMs = 20_000;
const timeouts = { connectMs: timeoutMs, idleMs: timeoutMs, wholeMs: timeoutMs };

/** Sends one message. Redirects are failures: the receiver was named, and no other is asked. */
export async function sendWebhook(
  { outgoing }: OutgoingDeps,
  { url, body, headers }: WebhookMessage,
): Promise<WebhookResult> {
  const allHeaders = {
    ...headers,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'Benchport',
  };
  try {
    const guard = await outgoing.guard();
    const { status } = await sendGuarded(guard, { url: new URL(url), headers: allHeaders, body, timeouts });
    return { failure: null, status, isGone: false, isUnreachable: false };
  } catch (error) {
    if (!(error instanceof HttpRequestError)) throw error;
    const { message, status } = error;
    return { failure: message, status, isGone: status === 410, isUnreachable: status === null };
  }
}
