import { sendOnce } from './http-client.ts';
import { HttpRequestError, requestFailure } from './http-request-error.ts';
import type { HttpTimeouts } from './node-request.ts';
import type { OutgoingGuard } from './outgoing-guard.ts';
import { readText } from './read-text.ts';

export interface GuardedPost {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  readonly signal?: AbortSignal;
  /** For connecting, for inactivity, and for the whole request; ten seconds each by default. */
  readonly timeouts?: HttpTimeouts & { readonly wholeMs: number };
}

export interface GuardedResponse {
  /** From 200 to 299. */
  readonly status: number;
  /** Null where it is longer than 64 KiB. */
  readonly text: string | null;
}

const defaultTimeouts = { connectMs: 10_000, idleMs: 10_000, wholeMs: 10_000 };
const maxResponseBytes = 64 * 1024;

/**
 * Posts to an address that a user chose, over a connection of its own. Redirects are not followed:
 * they are statuses that refuse, like all from 300 on.
 *
 * @throws OutgoingRefused, HttpRequestError, or the signal's reason
 */
export async function sendGuarded(guard: OutgoingGuard, post: GuardedPost): Promise<GuardedResponse> {
  const { url, headers, body, signal, timeouts = defaultTimeouts } = post;
  const lookup = guard.lookupFor(url);
  const late = AbortSignal.timeout(timeouts.wholeMs);
  const server = { baseUrl: url.origin, token: null, certificate: null };
  try {
    const response = await sendOnce(
      server,
      {
        method: 'POST',
        path: url.pathname + url.search,
        headers,
        body,
        signal: signal ? AbortSignal.any([signal, late]) : late,
      },
      { lookup, maxRedirects: 0, timeouts },
    );
    return { status: response.status, text: await readText(response, maxResponseBytes) };
  } catch (error) {
    if (signal?.aborted || !late.aborted || error instanceof HttpRequestError) throw error;
    throw requestFailure('timed-out', url);
  }
}
