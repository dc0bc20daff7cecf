import type { Page } from '@playwright/test';
import { request } from 'node:http';
import type { TestService } from '../service/start.ts';

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Sends a request over the private socket, as the desktop's main process does. */
export async function throughWindow(
  service: TestService,
  method: string,
  route: string,
  text: string,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        socketPath: service.socketPath,
        method,
        path: route,
        headers: {
          ...(text ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) } : {}),
          'x-benchport-launch-secret': service.launchSecret,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 500, body: Buffer.concat(chunks).toString() }),
        );
      },
    );
    asked.on('error', reject);
    asked.end(text);
  });
}

/**
 * Makes a page the window's: its requests use the private socket, `shownFolder` is displayed in
 * place of the temporary folder, and its bridge is a stub that chooses `chosen`.
 */
export async function asInWindow(
  page: Page,
  service: TestService,
  folder: string,
  shownFolder: string,
  chosen: string,
): Promise<void> {
  await page.addInitScript(
    (path) => {
      const nothing = async (): Promise<void> => undefined;
      const settings = {
        startAtLogin: true,
        closeToTray: true,
        hasTray: true,
        keepAwake: true,
        canNotify: true,
        notifications: { finished: true, failed: true, error: true, degraded: true },
        updates: { look: true, fetch: true },
        problem: null,
      };
      Object.assign(window, {
        benchport: {
          platform: 'linux',
          version: '0.1.0',
          chooseFolders: async () => [path],
          chooseFiles: async () => [],
          chooseExportFolder: async () => null,
          pathsOf: () => [],
          startDrag: () => undefined,
          showInFolder: nothing,
          openInBrowser: nothing,
          onCommand: () => () => undefined,
          setTheme: nothing,
          chooseFetchFolder: async () => path,
          chooseNewBackup: async () => path,
          chooseBackup: async () => path,
          chooseDataFolder: async () => path,
          onNavigate: () => () => undefined,
          getDesktopSettings: async () => settings,
          setDesktopSettings: async () => settings,
          getUpdates: async () => ({
            version: '0.1.0',
            channel: 'latest',
            lookedAt: new Date().toISOString(),
            state: { kind: 'quiet' },
          }),
        },
      });
    },
    chosen.replace(folder, shownFolder),
  );
  await page.route('**/api/v4/**', async (route) => {
    const asked = route.request();
    const url = new URL(asked.url());
    if (url.pathname === '/api/v4/events') return route.fallback();
    const text = (asked.postData() ?? '').replaceAll(shownFolder, folder);
    const answer = await throughWindow(service, asked.method(), url.pathname + url.search, text).catch(() => null);
    // The service has ended, as it does in some pictures.
    if (answer === null) return route.abort();
    const { status, body } = answer;
    return route.fulfill({
      status,
      contentType: 'application/json',
      body: body
        .replaceAll(folder, shownFolder)
        .replaceAll(service.services.config.dataDir, '/home/alice/.local/share/Benchport'),
    });
  });
}
