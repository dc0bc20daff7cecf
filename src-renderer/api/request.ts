import { ApiError, errorOfNetwork, errorOfResponse } from './problem.ts';

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

export function withQuery(path: string, query: QueryValues = {}): string {
  const values = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') values.set(name, String(value));
  }
  const text = values.toString();
  return text === '' ? path : `${path}?${text}`;
}

/**
 * Calls the service. `csrfToken` is asked for with every write, because a new sign-in changes it; the window has none and needs none.
 */
export function createApi(csrfToken: () => string | null, fetchLike: typeof fetch = (input, init) => fetch(input, init)) {
  async function send(path: string, options: RequestOptions): Promise<Response> {
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
    async nothing(path: string, options: RequestOptions = {}): Promise<void> {
      await send(path, options);
    },
  };
}

/** Whether trying again by itself can help: the service was away or overloaded, not saying no. */
export function isWorthRetrying(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 502 || error.status === 503 || error.status === 504);
}
