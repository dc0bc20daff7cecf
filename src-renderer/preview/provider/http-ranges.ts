import { PreviewError } from './preview-error.ts';
import type { RangeRequests } from './range-source.ts';

/** The part of a response that both ways to request a range have. */
interface Answered {
  readonly status: number;
  readonly header: (name: string) => string | null;
}

/** Ends before the page takes the worker for hung. */
const timeoutMs = 30_000;
const maxTries = 3;
const maxPauseMs = 5000;
const busy = new Set([429, 502, 503, 504]);

/**
 * Requests ranges of a file of the own origin with the page's credential. All of them are of one
 * representation: its entity tag is sent along, so that a measurement that was registered again is
 * noticed.
 *
 * @param length of the whole file, in bytes.
 */
export function createHttpRanges(url: string, length: number): RangeRequests {
  let etag: string | null = null;

  function headersOf(from: number, to: number): Readonly<Record<string, string>> {
    return { range: `bytes=${from}-${to - 1}`, ...(etag === null ? {} : { 'if-match': etag }) };
  }

  /** @throws PreviewError unless the response has exactly these bytes of a file of this length. */
  function check({ status, header }: Answered, from: number, to: number): void {
    const isWhole = status === 200 && from === 0 && to === length;
    const isRange = status === 206 && header('content-range') === `bytes ${from}-${to - 1}/${length}`;
    const tag = header('etag');
    if ((!isWhole && !isRange) || (etag !== null && tag !== etag)) throw changed();
    etag ??= tag;
  }

  async function once(from: number, to: number): Promise<Uint8Array> {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), timeoutMs);
    try {
      const response = await fetch(url, {
        headers: headersOf(from, to),
        credentials: 'same-origin',
        signal: abort.signal,
      });
      if (response.status >= 400) throw refusal(response.status, await response.text());
      try {
        check({ status: response.status, header: (name) => response.headers.get(name) }, from, to);
      } catch (error) {
        // A response that ignores the range would be the whole file.
        abort.abort();
        throw error;
      }
      return whole(new Uint8Array(await response.arrayBuffer()), from, to);
    } finally {
      clearTimeout(timer);
    }
  }

  function onceNow(from: number, to: number): Uint8Array {
    const request = new XMLHttpRequest();
    request.open('GET', url, false);
    request.responseType = 'arraybuffer';
    request.timeout = timeoutMs;
    for (const [name, value] of Object.entries(headersOf(from, to))) request.setRequestHeader(name, value);
    request.send();
    const body = request.response instanceof ArrayBuffer ? new Uint8Array(request.response) : new Uint8Array();
    if (request.status >= 400) throw refusal(request.status, new TextDecoder().decode(body));
    check({ status: request.status, header: (name) => request.getResponseHeader(name) }, from, to);
    return whole(body, from, to);
  }

  return {
    async fetch(from, to) {
      for (let tries = 1; ; tries += 1) {
        try {
          return await once(from, to);
        } catch (error) {
          if (tries === maxTries || !isWorthRetrying(error)) throw asPreviewError(error);
          await new Promise((resolve) => setTimeout(resolve, Math.min(maxPauseMs, 500 * 2 ** tries)));
        }
      }
    },
    fetchNow(from, to) {
      for (let tries = 1; ; tries += 1) {
        try {
          return onceNow(from, to);
        } catch (error) {
          if (tries === maxTries || !isWorthRetrying(error)) throw asPreviewError(error);
        }
      }
    },
  };
}

function whole(bytes: Uint8Array, from: number, to: number): Uint8Array {
  if (bytes.length === to - from) return bytes;
  throw new PreviewError('network', 'The connection ended before all bytes had come. Try again.');
}

function changed(): PreviewError {
  return new PreviewError('changed', 'The file is another one than when it was listed. Close it and open it again.');
}

/** A refusal in the service's own words. */
function refusal(status: number, body: string): PreviewError {
  if (status === 412 || status === 416) return changed();
  const detail = detailOf(body) ?? `The service answered ${status}.`;
  return new PreviewError(busy.has(status) ? 'network' : 'refused', detail);
}

function detailOf(body: string): string | null {
  try {
    const problem: unknown = JSON.parse(body);
    if (typeof problem !== 'object' || problem === null || !('detail' in problem)) return null;
    return typeof problem.detail === 'string' ? problem.detail.slice(0, 1000) : null;
  } catch {
    return null;
  }
}

/** Failures that are no refusal come from the network. */
function isWorthRetrying(error: unknown): boolean {
  return !(error instanceof PreviewError) || error.reason === 'network';
}

function asPreviewError(error: unknown): PreviewError {
  if (error instanceof PreviewError) return error;
  return new PreviewError('network', 'The Benchport service cannot be reached. Try again in a moment.');
}
