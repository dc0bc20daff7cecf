import type { LookupFunction } from 'node:net';
import { failureMessage } from '../../http-client/connection-failure.ts';
import { sendOnce } from '../../http-client/http-client.ts';
import { HttpRequestError } from '../../http-client/http-request-error.ts';
import { readText } from '../../http-client/read-text.ts';

export interface WebhookMessage {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface WebhookResult {
  readonly failure: string | null;
  /** Whether the receiver wants no more messages (410). */
  readonly isGone: boolean;
  /** Whether nothing answered, so that other messages need not be tried. */
  readonly isUnreachable: boolean;
}

/** Keeps addresses out that nobody may have this machine ask. */
export interface OutgoingGuard {
  /** @returns why the host may not be asked; null when it may. */
  refusal(url: URL): Promise<string | null>;
  readonly lookup: LookupFunction;
}

// Standard Webhooks: 15 to 30 seconds.
const timeoutMs = 20_000;
const maxResponseBytes = 16 * 1024;

/** Sends one message. Redirects are failures: the receiver was named, and no other is asked. */
export async function sendWebhook(
  guard: OutgoingGuard,
  { url, body, headers }: WebhookMessage,
): Promise<WebhookResult> {
  const { origin, pathname, search } = new URL(url);
  const refusal = await guard.refusal(new URL(url));
  if (refusal !== null) return { failure: refusal, isGone: false, isUnreachable: true };
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await sendOnce(
      { baseUrl: origin, token: null, certificate: null },
      {
        method: 'POST',
        path: `${pathname}${search}`,
        body,
        headers: {
          ...headers,
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
          'user-agent': 'Benchport',
        },
        signal,
      },
      { lookup: guard.lookup, maxRedirects: 0, timeouts: { connectMs: timeoutMs, idleMs: timeoutMs } },
    );
    await readText(response, maxResponseBytes);
    return { failure: null, isGone: false, isUnreachable: false };
  } catch (error) {
    if (signal.aborted)
      return { failure: failureMessage('timed-out', new URL(url)), isGone: false, isUnreachable: true };
    if (!(error instanceof HttpRequestError)) throw error;
    return { failure: error.message, isGone: error.status === 410, isUnreachable: error.status === null };
  }
}
