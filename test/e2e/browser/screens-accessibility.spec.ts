import type { Page } from '@playwright/test';
import { expect, expectAccessible, giveBridge, test } from './screens-fixture.ts';
import type { FakeOptions } from '../../renderer/fake-service.ts';

interface Scene {
  readonly name: string;
  readonly path?: string;
  readonly options?: Omit<FakeOptions, 'rendererDir'>;
  readonly inWindow?: true;
  readonly prepare?: (page: Page) => Promise<void>;
  readonly shows: string;
}

const scenes: readonly Scene[] = [
  { name: 'list', options: { measurements: 300 }, shows: 'qmr-2026-00300' },
  { name: 'nothing registered', shows: 'Nothing is registered yet.' },
  { name: 'nothing registered, in the window', options: { door: 'window' }, inWindow: true, shows: 'Drop a folder, a file or a ZIP here to register it.' },
  { name: 'nothing found', path: '/ui/measurements?search=zzz', options: { measurements: 3 }, shows: 'No measurement matches “zzz”.' },
  { name: 'failure', options: { measurements: 3, failing: 'measurements' }, shows: 'The database cannot be read' },
  { name: 'files', path: '/ui/measurements/afm-scan-00096', options: { measurements: 100 }, shows: 'README.txt' },
  { name: 'degraded', path: '/ui/measurements/xrd-powder-00097', options: { measurements: 100 }, shows: 'altered: it has 20 971 524 bytes' },
  {
    name: 'access',
    path: '/ui/measurements/afm-scan-00096',
    options: { measurements: 100 },
    prepare: (page) => page.getByRole('tab', { name: 'Access' }).click(),
    shows: 'beamtime/2026-3',
  },
  {
    name: 'grant',
    path: '/ui/measurements/afm-scan-00096',
    options: { measurements: 100 },
    prepare: async (page) => {
      await page.getByRole('tab', { name: 'Access' }).click();
      await page.getByRole('button', { name: 'Grant' }).click();
    },
    shows: 'Who may read afm-scan-00096?',
  },
  {
    name: 'revoke a grant',
    path: '/ui/measurements/afm-scan-00096',
    options: { measurements: 100 },
    prepare: async (page) => {
      await page.getByRole('tab', { name: 'Access' }).click();
      await page.getByRole('button', { name: 'Revoke' }).first().click();
    },
    shows: 'Revoke access of bob?',
  },
  {
    name: 'history',
    path: '/ui/measurements/afm-scan-00096',
    options: { measurements: 100 },
    prepare: (page) => page.getByRole('tab', { name: 'History' }).click(),
    shows: 'Manifest',
  },
  {
    name: 'register',
    options: { measurements: 3, door: 'window' },
    inWindow: true,
    prepare: (page) => page.getByRole('button', { name: 'Register' }).click(),
    shows: 'Leave them where they lie',
  },
  {
    name: 'rename',
    path: '/ui/measurements/ms-run-00002',
    options: { measurements: 3 },
    prepare: (page) => page.getByRole('button', { name: 'Rename' }).click(),
    shows: 'Rename ms-run-00002',
  },
  {
    name: 'export',
    path: '/ui/measurements/ms-run-00002',
    options: { measurements: 3, door: 'window' },
    inWindow: true,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Export' }).click();
    },
    shows: 'RO-Crate',
  },
  {
    name: 'remove',
    path: '/ui/measurements/ms-run-00002',
    options: { measurements: 3 },
    prepare: async (page) => {
      await page.getByRole('tab', { name: 'Files' }).waitFor();
      await page.keyboard.press('Delete');
    },
    shows: 'Remove ms-run-00002?',
  },
  {
    name: 'copy menu',
    path: '/ui/measurements/ms-run-00002',
    options: { measurements: 3 },
    prepare: (page) => page.getByRole('button', { name: 'Copy', exact: true }).click(),
    shows: 'Copy curl line',
  },
  { name: 'tokens', path: '/ui/tokens', shows: 'nightly backup' },
  { name: 'revoked tokens', path: '/ui/tokens', prepare: (page) => page.getByRole('button', { name: 'Revoked or expired' }).click(), shows: 'old script' },
  { name: 'no tokens', path: '/ui/tokens', options: { tokens: false }, shows: 'A token lets a lab machine or a script fetch measurements as you.' },
  {
    name: 'create a token',
    path: '/ui/tokens',
    prepare: (page) => page.getByRole('button', { name: 'Create token' }).click(),
    shows: 'List and download measurements',
  },
  {
    name: 'secret of a token',
    path: '/ui/tokens',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Create token' }).click();
      await page.getByLabel('Name').fill('bench 3');
      await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
    },
    shows: 'I have saved it',
  },
  {
    name: 'revoke a token',
    path: '/ui/tokens',
    prepare: (page) => page.getByRole('button', { name: 'Revoke ms-reader' }).click(),
    shows: 'Revoke token ms-reader?',
  },
  { name: 'palette', options: { measurements: 3 }, prepare: (page) => openWith(page, 'Control+k'), shows: 'Appearance: dark' },
  { name: 'shortcuts', options: { measurements: 3 }, prepare: (page) => openWith(page, '?'), shows: 'No shortcut works while you type in a field.' },
  { name: 'first run', options: { needsSetup: true, door: 'window' }, inWindow: true, shows: 'Set up Benchport' },
  { name: 'first run without the code', options: { needsSetup: true }, shows: 'This service has no account yet.' },
];

async function shown(page: Page, text: string): Promise<void> {
  await page.getByText(text).first().waitFor();
}

async function openWith(page: Page, keys: string): Promise<void> {
  await page.getByRole('grid').waitFor();
  await page.keyboard.press(keys);
}

for (const { name, path = '/ui/measurements', options = {}, inWindow, prepare, shows } of scenes) {
  test(`${name}: axe finds nothing, in light and in dark`, async ({ page, open }) => {
    if (inWindow === true) await giveBridge(page);
    await page.emulateMedia({ colorScheme: 'light' });
    await open(path, options);
    await prepare?.(page);
    await shown(page, shows);
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await expectAccessible(page, ['color-contrast']);
  });
}

test.describe('narrow', () => {
  test.use({ viewport: { width: 360, height: 740 } });
  for (const { path, shows } of [
    { path: '/ui/measurements', shows: 'ms-run-00099' },
    { path: '/ui/measurements/xrd-powder-00097', shows: 'altered: it has 20 971 524 bytes' },
    { path: '/ui/tokens', shows: 'nightly backup' },
  ]) {
    test(`${path}: axe finds nothing`, async ({ page, open }) => {
      await open(path, { measurements: 100 });
      await shown(page, shows);
      await expectAccessible(page);
    });
  }
});
