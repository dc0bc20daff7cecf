import type { ResponseWatch } from './response-watch.ts';
import { ApiError, errorOfNetwork, errorOfResponse } from './problem.ts';

/** The proof of identity that the service requires. */
export type Proof = 'password' | 'second-factor';
/**
 * Called when the service requires a recent proof of identity: resolves once the user has given it,
 * throws `Cancelled` when they decline.
 */
export type ConfirmIdentity = (proof: Proof) => Promise<void>;

const proofs: Readonly<Record<string, Proof>> = {
  'confirmation-needed': 'password',
  'second-factor-needed': 'second-factor',
};

export type QueryValues = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly query?: QueryValues;
  readonly body?: unknown;
  /** A body that is not JSON, in place of `body`. */
  readonly content?: {
    readonly type: string;
    readonly body: Blob;
    readonly headers?: Readonly<Record<string, string>>;
  };
  readonly signal?: AbortSignal;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
  /** Whether there may be more than `total`: the service did not count to the end. */
  readonly more: boolean;
}

export type Api = ReturnType<typeof createApi>;

/** A path with a query; empty and undefined values are left out. */
export function withQuery(path: string, query: QueryValues = {}): string {
  const values = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') values.set(name, String(value));
  }
  const text = values.toString();
  return text === '' ? path : `${path}?${text}`;
}

export interface ApiDeps {
  /** Read for every write, because a new sign-in changes it; the window has none and needs none. */
  readonly csrfToken: () => string | null;
  readonly confirmIdentity?: ConfirmIdentity;
  readonly fetchLike?: typeof fetch;
  readonly responseWatch?: ResponseWatch;
}

/**
 * Calls the service. A write that needs a confirmation of identity is repeated after it, so that
 * the action continues.
 */
export function createApi({
  csrfToken,
  confirmIdentity,
  fetchLike = (input, init) => fetch(input, init),
  responseWatch: answers,
}: ApiDeps) {
  async function send<T>(path: string, options: RequestOptions, read: (response: Response) => Promise<T>): Promise<T> {
    const given = new Set<Proof>();
    for (;;) {
      try {
        return await sendOnce(path, options, read);
      } catch (error) {
        const proof = error instanceof ApiError && error.type !== null ? proofs[error.type] : undefined;
        // Each proof is requested only once: a request that is still refused stays refused.
        if (confirmIdentity === undefined || proof === undefined || given.has(proof)) throw error;
        given.add(proof);
        await confirmIdentity(proof);
      }
    }
  }

  async function sendOnce<T>(
    path: string,
    options: RequestOptions,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const tracked = answers?.track((options.method ?? 'GET') !== 'GET');
    const signals = [options.signal, tracked?.signal].filter((signal) => signal !== undefined);
    try {
      const response = await fetchLike(withQuery(path, options.query), {
        ...initOf(options),
        signal: AbortSignal.any(signals),
      });
      answers?.heard();
      if (!response.ok) throw await errorOfResponse(response);
      const body = await read(response);
      answers?.heard();
      return body;
    } catch (error) {
      if (error instanceof ApiError || options.signal?.aborted === true) throw error;
      if (tracked?.signal.reason instanceof ApiError) throw tracked.signal.reason;
      throw errorOfNetwork();
    } finally {
      tracked?.end();
    }
  }

  function initOf(options: RequestOptions): RequestInit {
    const method = options.method ?? 'GET';
    const { content } = options;
    const headers = new Headers({ accept: 'application/json', ...content?.headers });
    const token = method === 'GET' ? null : csrfToken();
    if (token !== null) headers.set('x-csrf-token', token);
    if (content !== undefined) headers.set('content-type', content.type);
    if (options.body !== undefined) headers.set('content-type', 'application/json');
    return {
      method,
      headers,
      credentials: 'same-origin',
      ...(content === undefined ? {} : { body: content.body }),
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    };
  }

  return {
    json: <T>(path: string, options: RequestOptions = {}): Promise<T> =>
      send(path, options, async (response) => (await response.json()) as T),
    page: <T>(path: string, options: RequestOptions = {}): Promise<Page<T>> =>
      send(path, options, async (response) => {
        const items = (await response.json()) as T[];
        const counted = response.headers.get('x-total');
        const total = Number(counted ?? response.headers.get('x-total-at-least') ?? Number.NaN);
        return {
          items,
          total: Number.isInteger(total) ? total : items.length,
          more: counted === null && Number.isInteger(total),
        };
      }),
    text: (path: string, options: RequestOptions = {}): Promise<string> =>
      send(path, options, (response) => response.text()),
    blob: (path: string, options: RequestOptions = {}): Promise<Blob> =>
      send(path, options, (response) => response.blob()),
    nothing: (path: string, options: RequestOptions = {}): Promise<void> => send(path, options, async () => {}),
  };
}

/** Whether the service itself was unreachable or still starting. */
export function isAway(error: unknown): error is ApiError {
  return (
    error instanceof ApiError &&
    (error.status === 0 || ['service-unreachable', 'service-starting', 'service-busy'].includes(error.type ?? ''))
  );
}

/**
 * Whether an automatic retry can help: the service was unreachable or overloaded, and did not
 * refuse.
 */
export function isWorthRetrying(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.type !== 'no-answer' &&
    (error.status === 0 || error.status === 502 || error.status === 503 || error.status === 504)
  );
}
