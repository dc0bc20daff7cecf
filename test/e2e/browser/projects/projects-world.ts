import type { Browser, Page } from '@playwright/test';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestService } from '../../../service/start.ts';
import { signInElsewhere } from '../sign-in-elsewhere.ts';
import { expect } from '../signed-in.ts';

const bobs = 'a grating of 600 lines';

/** Sends a request as the page's user. */
export async function ask(
  page: Page,
  service: TestService,
  method: 'POST' | 'PUT' | 'PATCH',
  path: string,
  data: unknown,
): Promise<unknown> {
  const session = (await (await page.request.get(`${service.url}/api/v4/session`)).json()) as { csrf_token: string };
  const answer = await page.request.fetch(`${service.url}/api/v4${path}`, {
    method,
    data,
    headers: { 'x-csrf-token': session.csrf_token },
  });
  expect(answer.ok(), `${method} ${path}: ${await answer.text()}`).toBe(true);
  return answer.json();
}

/** A project with integrated error tracking, and its client key. */
export async function trackedProject(page: Page, service: TestService, path = 'lab/spectrometer'): Promise<void> {
  await ask(page, service, 'POST', '/projects', { path });
  await ask(page, service, 'PUT', `/projects/${encodeURIComponent(path)}/error_tracking/settings`, {
    active: true,
    integrated: true,
  });
}

/** Makes the page as narrow as a phone, and waits until nothing on it is too wide. */
export const narrow = async (page: Page): Promise<void> => {
  await page.setViewportSize({ width: 360, height: 740 });
  // The page itself never scrolls, so wide content would be cut off; the layout follows the window
  // with a delay.
  const tooWide = () =>
    page.evaluate(
      () =>
        [...document.querySelectorAll('main, main *')].filter(
          (element) => element.getBoundingClientRect().right > 360.5,
        ).length,
    );
  await expect.poll(tooWide).toBe(0);
};

export const settingsOf = (service: TestService, path: string, tab = ''): string =>
  `${service.url}/ui/projects/${encodeURIComponent(path)}/settings${tab === '' ? '' : `?tab=${tab}`}`;

/** Bob, with a role in the project, at its settings in a separate browser. */
export async function bobAt(
  page: Page,
  browser: Browser,
  service: TestService,
  path: string,
  role: string,
  tab: string,
): Promise<Page> {
  const { id } = (await ask(page, service, 'POST', '/users', { username: 'bob', name: 'Bob', password: bobs })) as {
    id: number;
  };
  await ask(page, service, 'PUT', `/projects/${encodeURIComponent(path)}/members/${id}`, { role });
  return signInElsewhere(browser, service.url, 'bob', bobs, settingsOf(service, path, tab).slice(service.url.length));
}

/** Sends an event as an SDK does. */
export async function sendEvent(dsn: string): Promise<number> {
  const url = new URL(dsn);
  const [project = ''] = url.pathname.split('/').slice(-1);
  const address = `${url.origin}${url.pathname.slice(0, -project.length)}api/${project}/store/?sentry_key=${url.username}`;
  const body = JSON.stringify({
    event_id: crypto.randomUUID().replaceAll('-', ''),
    message: 'the lamp is cold',
    platform: 'python',
  });
  return (await fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).status;
}

/** A minimal Sentry-compatible server with one token and two projects. */
export async function sentryServer(): Promise<{
  readonly url: string;
  readonly tokens: string[];
  readonly close: () => void;
}> {
  const tokens: string[] = [];
  const organization = { id: '1', slug: 'lab', name: 'Laboratory' };
  const projects = ['spectrometer', 'beam-line'].map((slug, index) => ({
    id: String(index + 7),
    slug,
    name: `The ${slug}`,
    status: 'active',
    organization,
  }));
  const server = createServer((request, response) => {
    const token = (request.headers.authorization ?? '').replace('Bearer ', '');
    tokens.push(token);
    const body =
      request.url?.includes('/organizations/lab/projects/') === true ||
      request.url?.startsWith('/api/0/projects/') === true
        ? projects
        : [organization];
    response.writeHead(token === 'sntrys_right' ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify(token === 'sntrys_right' ? body : { detail: 'Invalid token' }));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tokens,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
