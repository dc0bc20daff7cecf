import { pressButton, readForms } from '../../clients/oauth/read-forms.ts';
import type { Ledger } from './ledger.ts';

export interface Visit {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A browser without scripts that records every cookie and every hidden value of its forms. */
export interface Visitor {
  get(path: string): Promise<Visit>;
  /** JSON as the screens send it, with the CSRF token of the session if there is one. */
  send(method: string, path: string, body?: unknown): Promise<Visit>;
  /** Fills in the form that has a button with this text and sends it. */
  press(page: Visit, button: RegExp, filled?: Readonly<Record<string, string>>): Promise<Visit>;
}

const hidden = new Set(['form_token', 'csrf_token', 'request']);

/** @param base origin of the service; redirects to other origins are not followed. */
export function visitor(base: string, secrets: Ledger): Visitor {
  const cookies = new Map<string, string>();

  async function load(address: URL, init: RequestInit): Promise<Visit> {
    let url = address;
    let next = init;
    for (let hops = 0; hops < 8; hops += 1) {
      if (url.origin !== new URL(base).origin) return { url, status: 0, headers: new Headers(), text: '' };
      const headers = new Headers(next.headers);
      headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
      const response = await fetch(url, { ...next, headers, redirect: 'manual' });
      for (const line of response.headers.getSetCookie()) keep(line);
      const text = await response.text();
      for (const form of readForms(text))
        for (const [name, value] of form.fields) if (hidden.has(name)) secrets.note(`the form's ${name}`, value);
      const location = response.headers.get('location');
      if (location === null || response.status < 300 || response.status > 399)
        return { url, status: response.status, headers: response.headers, text };
      url = new URL(location, url);
      next = { method: 'GET' };
    }
    throw new Error(`the redirects from ${address.pathname} do not end`);
  }

  function keep(line: string): void {
    const [pair = ''] = line.split(';', 1);
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    if (value === '' || /max-age=0|expires=thu, 01 jan 1970/i.test(line)) cookies.delete(name);
    else cookies.set(name, secrets.note(`the cookie ${name}`, value));
  }

  async function csrfToken(): Promise<string | null> {
    const { text } = await load(new URL('/api/v4/session', base), {});
    const { csrf_token: token } = JSON.parse(text) as { readonly csrf_token: string | null };
    return token === null ? null : secrets.note('the CSRF token of the session', token);
  }

  return {
    get: (path) => load(new URL(path, base), {}),
    send: async (method, path, body) => {
      const token = await csrfToken();
      const headers = { 'content-type': 'application/json', ...(token === null ? {} : { 'x-csrf-token': token }) };
      return load(new URL(path, base), { method, headers, body: JSON.stringify(body ?? {}) });
    },
    press: async (page, button, filled = {}) => {
      const found = pressButton(page.text, button, filled);
      if (!found)
        throw new Error(
          `no button ${String(button)} on ${page.url.pathname}, which was answered with ${page.status}:\n${page.text}`,
        );
      return load(new URL(found.pressed.action ?? found.form.action, page.url), {
        method: 'POST',
        body: found.fields,
        headers: { 'sec-fetch-site': 'same-origin' },
      });
    },
  };
}
