import { ApiError, errorOfNetwork, errorOfResponse } from './problem.ts';

/** Where the service says that a change needs to know again who asks: resolves once they have proved it, throws `Cancelled` when they will not. */
export type ConfirmIdentity = () => Promise<void>;

export type QueryValues = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly query?: QueryValues;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
}

export type Api = ReturnType<typeof createApi>;

/** A path with a query; values that are empty or not there are left out. */
export function withQuery(path: string, query: QueryValues = {}): string {
  const values = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') values.set(name, String(value));
  }
  const text = values.toString();
  return text === '' ? path : `${path}?${text}`;
}

export interface ApiParts {
  /** Asked for with every write, because a new sign-in changes it; the window has none and needs none. */
  readonly csrfToken: () => string | null;
  readonly confirmIdentity?: ConfirmIdentity;
  readonly fetchLike?: typeof fetch;
}

/** Calls the service. A write that it holds back until its user has been confirmed is sent again after that, so that the action simply goes on. */
export function createApi({ csrfToken, confirmIdentity, fetchLike = (input, init) => fetch(input, init) }: ApiParts) {
  async function send(path: string, options: RequestOptions): Promise<Response> {
    try {
      return await sendOnce(path, options);
    } catch (error) {
      if (confirmIdentity === undefined || !(error instanceof ApiError) || error.type !== 'confirmation-needed') throw error;
      await confirmIdentity();
      return sendOnce(path, options);
    }
  }

  async function sendOnce(path: string, options: RequestOptions): Promise<Response> {
    const method = options.method ?? 'GET';
    const headers = new Headers({ accept: 'application/json' });
    const token = method === 'GET' ? null : csrfToken();
    if (token !== null) headers.set('x-csrf-token', token);
    if (options.body !== undefined) headers.set('content-type', 'application/json');
    let response: Response;
    try {
      response = await fetchLike(withQuery(path, options.query), {
        method,
        headers,
        credentials: 'same-origin',
        ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      });
    } catch (error) {
      if (options.signal?.aborted === true) throw error;
      throw errorOfNetwork();
    }
    if (!response.ok) throw await errorOfResponse(response);
    return response;
  }

  return {
    async json<T>(path: string, options: RequestOptions = {}): Promise<T> {
      return (await (await send(path, options)).json()) as T;
    },
    async page<T>(path: string, options: RequestOptions = {}): Promise<Page<T>> {
      const response = await send(path, options);
      const items = (await response.json()) as T[];
      const total = Number(response.headers.get('x-total') ?? Number.NaN);
      return { items, total: Number.isInteger(total) ? total : items.length };
    },
    async text(path: string, options: RequestOptions = {}): Promise<string> {
      return (await send(path, options)).text();
    },
    async blob(path: string, options: RequestOptions = {}): Promise<Blob> {
      return (await send(path, options)).blob();
    },
    async nothing(path: string, options: RequestOptions = {}): Promise<void> {
      await send(path, options);
    },
  };
}

/** Whether the service itself was not there, or is only about to be. */
export function isAway(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 0 || ['service-unreachable', 'service-starting', 'service-busy'].includes(error.type ?? ''));
}

/** Whether trying again by itself can help: the service was away or overloaded, not saying no. */
export function isWorthRetrying(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 502 || error.status === 503 || error.status === 504);
}
