import type { TestService } from './start.ts';

/** A minimal browser: it keeps cookies and sends the `Origin` of the page it is on. */
export interface Browser {
  readonly cookies: ReadonlyMap<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  head(path: string): Promise<Response>;
  postForm(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Response>;
  send(method: string, path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  setCookie(name: string, value: string): void;
  /** Loads the sign-in page and submits its form with the fields filled in. */
  signIn(username: string, password: string, query?: string): Promise<Response>;
}

/** @param send replaces `fetch`, for a server whose certificate is not trusted. */
export function browserAt(
  service: Pick<TestService, 'url'>,
  send: (url: string, init: RequestInit) => Promise<Response> = fetch,
): Browser {
  const cookies = new Map<string, string>();

  async function go(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    if (cookies.size > 0) headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await send(service.url + path, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';', 1);
      const [name = '', value = ''] = pair.split('=', 2);
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }

  const browser: Browser = {
    cookies,
    setCookie: (name, value) => void cookies.set(name, value),
    get: (path, headers = {}) => go(path, { headers }),
    head: (path) => go(path, { method: 'HEAD' }),
    postForm: (path, fields, headers = {}) =>
      go(path, {
        method: 'POST',
        body: new URLSearchParams(fields),
        headers: { 'sec-fetch-site': 'same-origin', ...headers },
      }),
    send: (method, path, body, headers = {}) =>
      go(path, { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } }),
    signIn: async (username, password, query = '') => {
      const page = await (await browser.get(`/users/sign_in${query}`)).text();
      return browser.postForm('/users/sign_in', { ...hiddenFields(page), username, password });
    },
  };
  return browser;
}

/** Hidden fields of a form. */
export function hiddenFields(page: string): Record<string, string> {
  return Object.fromEntries(
    [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)" ?\/?>/g)].map(
      ([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')],
    ),
  );
}

/** CSRF token of a signed-in browser, fetched as the screens fetch it. */
export async function csrfOf(browser: Browser): Promise<string> {
  const session = (await (await browser.get('/api/v4/session')).json()) as { readonly csrf_token: string };
  return session.csrf_token;
}
