import { pressButton } from './read-forms.ts';

export interface Page {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A browser without scripts: cookies by host, redirects, forms. */
export interface PlainBrowser {
  /**
   * Opens an address and follows redirects; one to an origin outside `within` is returned as a page
   * without text.
   */
  open(address: string | URL): Promise<Page>;
  /** Fills a form in and presses one of its buttons. */
  press(page: Page, button: RegExp, filled?: Readonly<Record<string, string>>): Promise<Page>;
}

/** @param within origins of running applications. */
export function plainBrowser(within: readonly string[]): PlainBrowser {
  // Cookies are per host, not per port (RFC 6265 section 8.5), so several services on one machine
  // share them.
  const jar = new Map<string, Map<string, string>>();
  const cookiesFor = (url: URL) => jar.get(url.hostname) ?? jar.set(url.hostname, new Map()).get(url.hostname)!;

  async function load(address: URL, form: URLSearchParams | null, from: URL | null): Promise<Page> {
    let url = address;
    let body = form;
    for (let hops = 0; hops < 12; hops += 1) {
      if (!within.includes(url.origin)) return { url, status: 0, headers: new Headers(), text: '' };
      const response = await fetch(url, {
        method: body === null ? 'GET' : 'POST',
        redirect: 'manual',
        body,
        headers: {
          accept: 'text/html',
          cookie: Array.from(cookiesFor(url), ([name, value]) => `${name}=${value}`).join('; '),
          // Node's `fetch` sends no Origin, but a browser does for a form.
          ...(body === null || from === null
            ? {}
            : { origin: from.origin, 'sec-fetch-site': from.origin === url.origin ? 'same-origin' : 'cross-site' }),
        },
      });
      for (const cookie of response.headers.getSetCookie()) keep(cookiesFor(url), cookie);
      const text = await response.text();
      const location = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || location === null)
        return { url, status: response.status, headers: response.headers, text };
      url = new URL(location, url);
      body = response.status === 307 || response.status === 308 ? body : null;
    }
    throw new Error(`the redirects from ${address.href} do not end`);
  }

  return {
    open: (address) => load(new URL(address), null, null),
    press: async (page, button, filled = {}) => {
      const found = pressButton(page.text, button, filled);
      if (!found)
        throw new Error(
          `no button ${button} on ${page.url.href}, which was answered with ${page.status}:\n${page.text}`,
        );
      const { form, pressed, fields } = found;
      const action = new URL(pressed.action ?? form.action, page.url);
      if (form.method === 'POST') return load(action, fields, page.url);
      action.search = fields.toString();
      return load(action, null, page.url);
    },
  };
}

function keep(cookies: Map<string, string>, header: string): void {
  const [pair = '', ...rest] = header.split(';');
  const at = pair.indexOf('=');
  const name = pair.slice(0, at).trim();
  const ends = rest.some((part) => /^\s*max-age=0\s*$/i.test(part) || /^\s*expires=.*1970/i.test(part));
  if (ends) cookies.delete(name);
  else cookies.set(name, pair.slice(at + 1).trim());
}
