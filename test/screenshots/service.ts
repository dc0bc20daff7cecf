import type { Page } from '@playwright/test';
import { mkdir, mkdtemp, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startTestService, type TestService } from '../service/start.ts';
import { narrow, themes, wide, type Camera, type Size, type Theme } from './camera.ts';
import { ask, furnish } from './furnish.ts';
import { asInWindow } from './window-page.ts';

const gib = 1024 ** 3;

/** Takes the pictures of a real service: measurements, access, tokens, registering. */
export async function shootService(camera: Camera): Promise<void> {
  const files = await mkdtemp(path.join(os.tmpdir(), 'benchport-pictures-'));
  const service = await startTestService({ baseUrl: 'http://127.0.0.1:7420', version: '0.1.0' });
  try {
    await shootScreens(camera, service, files);
  } finally {
    await service.stop(0).catch(() => undefined);
    await rm(service.dir, { recursive: true, force: true });
    await rm(files, { recursive: true, force: true });
  }
}

async function shootScreens({ context, shoot }: Camera, service: TestService, files: string): Promise<void> {
  const url = `http://127.0.0.1:${service.port}`;
  const cookie = await service.services.sessions.begin(await service.user('alice', true), null, null);

  /** A page of alice; in the window its folder dialog chooses `chosen`. */
  async function open(
    theme: Theme,
    route: string,
    { viewport = wide, chosen }: { viewport?: Size; chosen?: string } = {},
  ): Promise<Page> {
    const opened = await context(theme, viewport);
    await opened.addCookies([{ name: 'benchport_session', value: cookie, url }]);
    const page = await opened.newPage();
    if (chosen !== undefined) await asInWindow(page, service, files, '/data/instrument', chosen);
    await page.goto(`${url}${route}`);
    return page;
  }

  await shoot(await open('light', '/ui/measurements', { chosen: files }), 'measurements-empty-light');
  const publicPage = await (await context('light')).newPage();
  await publicPage.goto(`${url}/users/sign_in`);
  await shoot(publicPage, 'sign-in-light', true);
  await publicPage.goto(`${url}/api/docs`);
  await shoot(publicPage, 'api-docs-light');

  await furnish(service, files);
  for (const theme of themes) await shoot(await open(theme, '/ui/measurements/qmr-2026-114'), `measurements-${theme}`);
  await shoot(await open('light', '/ui/measurements', { viewport: narrow }), 'measurements-narrow-light');
  await shoot(await open('light', '/ui/measurements/ms-run-0091'), 'measurement-degraded-light');
  await shoot(
    await open('dark', '/ui/measurements/ms-run-0091', { viewport: narrow }),
    'measurement-degraded-narrow-dark',
  );
  for (const [tab, theme] of [
    ['Access', 'dark'],
    ['History', 'light'],
  ] as const) {
    const page = await open(theme, '/ui/measurements/qmr-2026-114');
    await page.getByRole('tab', { name: tab }).click();
    await shoot(page, `measurement-${tab.toLowerCase()}-${theme}`);
  }
  const tokens = await open('light', '/ui/tokens');
  await shoot(tokens, 'tokens-light', true);
  await tokens.getByRole('button', { name: 'Create token' }).first().click();
  await shoot(tokens, 'token-new-light');
  await shoot(await open('light', '/ui/tokens', { viewport: narrow }), 'tokens-narrow-light');

  for (const theme of themes) {
    await shoot(
      await open(theme, '/ui/projects/lab%2Fqmr/settings', { viewport: { width: 1280, height: 1500 } }),
      `project-settings-${theme}`,
    );
  }
  await shoot(await open('light', '/ui/projects/lab%2Fqmr/settings?tab=members'), 'project-members-light');

  // In the window, for actions that only the machine itself may perform.
  const fresh = path.join(files, 'nmr-2026-020');
  await mkdir(path.join(fresh, 'raw'), { recursive: true });
  const lately = Date.now() / 1000 - 3600;
  for (const [name, size] of Object.entries({
    'raw/fid-001.dat': 3 * gib,
    'raw/fid-002.dat': 3 * gib,
    'notes.txt': 1200,
    '.DS_Store': 6148,
  })) {
    await writeFile(path.join(fresh, name), '');
    await truncate(path.join(fresh, name), size);
    // Old enough not to count as still being written.
    await utimes(path.join(fresh, name), lately, lately);
  }
  for (const theme of themes) {
    const page = await open(theme, '/ui/measurements', { chosen: fresh });
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('Leave them where they are').waitFor();
    await shoot(page, `register-${theme}`);
  }
  const palette = await open('dark', '/ui/measurements/xrd-0450', { chosen: fresh });
  await palette.getByText('refinement', { exact: true }).waitFor();
  await palette.goto(`${url}/ui/measurements/qmr-2026-114`);
  await palette.getByText('acquisition', { exact: true }).waitFor();
  await palette.keyboard.press('Control+k');
  await shoot(palette, 'palette-dark');

  const working = await open('light', '/ui/measurements', { chosen: fresh });
  await working.getByText('service running').waitFor();
  const job = await ask(service, 'POST', '/api/v4/local/registrations', {
    path: fresh,
    id: 'nmr-2026-020',
    title: 'Nuclear magnetic resonance 20',
  });
  await working.getByText(/ left$/).waitFor();
  await shoot(working, 'job-running-light');
  await ask(service, 'POST', `/api/v4/jobs/${job.id}`, { action: 'cancel' });

  const forsaken = await open('light', '/ui/measurements/qmr-2026-114');
  await forsaken.getByText('service running').waitFor();
  await service.stop(0);
  await forsaken.getByText('The Benchport service cannot be reached').waitFor();
  await shoot(forsaken, 'service-away-light');
}
