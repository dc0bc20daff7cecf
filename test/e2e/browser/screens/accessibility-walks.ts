import type { Page } from '@playwright/test';
import { jobOf } from '../../../renderer/fakes/fake-jobs.ts';
import { expect } from '../screens-fixture.ts';
import type { FakeOptions, FakeService } from '../../../renderer/fakes/fake-options.ts';

/** A state that axe examines in both themes. */
export interface Look {
  readonly prepare?: (page: Page, service: FakeService) => Promise<unknown>;
  readonly shows: string;
  /** The examined part, because the rest behind a dialog has been examined before. */
  readonly within?: string;
}

interface Walk {
  readonly name: string;
  readonly path?: string;
  readonly options?: Omit<FakeOptions, 'rendererDir'>;
  readonly inWindow?: true;
  readonly looks: readonly Look[];
}

const dialog = '[role="dialog"], [role="alertdialog"]';
const click =
  (name: string | RegExp, role: 'button' | 'tab' | 'menuitem' = 'button') =>
  (page: Page) =>
    page.getByRole(role, { name, exact: true }).first().click();
const closeThen =
  (next: (page: Page, service: FakeService) => Promise<unknown>) =>
  async (page: Page, service: FakeService): Promise<void> => {
    await page.keyboard.press('Escape');
    await expect(page.locator(`${dialog}, [role="menu"]`)).toHaveCount(0);
    await next(page, service);
  };

export const walks: readonly Walk[] = [
  {
    name: 'list, palette, shortcuts',
    options: { measurements: 300 },
    looks: [
      { shows: 'qmr-2026-00300' },
      { prepare: (page) => page.keyboard.press('Control+k'), shows: 'Appearance: dark', within: dialog },
      {
        prepare: closeThen((page) => page.keyboard.press('?')),
        shows: 'No shortcut works while you type in a field.',
        within: dialog,
      },
    ],
  },
  { name: 'nothing registered', looks: [{ shows: 'There are no measurements.' }] },
  {
    name: 'nothing registered, in the window',
    options: { door: 'window' },
    inWindow: true,
    looks: [{ shows: 'Drop a folder, a file or a ZIP here to register it.' }],
  },
  {
    name: 'nothing found',
    path: '/ui/measurements?search=zzz',
    options: { measurements: 3 },
    looks: [{ shows: 'No measurement matches “zzz”.' }],
  },
  {
    name: 'failure',
    options: { measurements: 3, failing: 'measurements' },
    looks: [{ shows: 'The disk of the data directory answers with errors' }],
  },
  {
    name: 'detail and its dialogs',
    path: '/ui/measurements/afm-scan-00096',
    options: { measurements: 100 },
    looks: [
      { shows: 'README.txt' },
      { prepare: click('Copy'), shows: 'Copy curl line', within: '[role="menu"]' },
      { prepare: closeThen(click('Access', 'tab')), shows: 'beamtime/2026-3', within: 'aside' },
      { prepare: click('Grant'), shows: 'Who may read afm-scan-00096?', within: dialog },
      { prepare: closeThen(click('Revoke')), shows: 'Revoke access of bob?', within: dialog },
      { prepare: closeThen(click('History', 'tab')), shows: 'Only the list of files', within: 'aside' },
      { prepare: click('Rename'), shows: 'Rename afm-scan-00096', within: dialog },
      { prepare: closeThen((page) => page.keyboard.press('Delete')), shows: 'Remove afm-scan-00096?', within: dialog },
    ],
  },
  {
    name: 'degraded',
    path: '/ui/measurements/xrd-powder-00097',
    options: { measurements: 100 },
    looks: [{ shows: 'altered: it has 20 971 524 bytes', within: 'aside' }],
  },
  {
    name: 'work in the window',
    path: '/ui/measurements/ms-run-00002',
    options: { measurements: 3, door: 'window' },
    inWindow: true,
    looks: [
      {
        prepare: async (page, service) => {
          await page.getByText('service running').waitFor();
          service.emit('job', jobOf(1, {}));
          service.emit(
            'job',
            jobOf(2, {
              state: 'failed',
              kind: 'export',
              message: 'The disk is full.',
              ended_at: new Date().toISOString(),
            }),
          );
        },
        shows: 'The disk is full.',
      },
      { prepare: click('Register'), shows: 'Leave them where they are', within: dialog },
      {
        prepare: closeThen(async (page) => {
          await page.getByRole('button', { name: 'More actions' }).click();
          await page.getByRole('menuitem', { name: 'Export' }).click();
        }),
        shows: 'RO-Crate',
        within: dialog,
      },
      { prepare: closeThen((page) => page.keyboard.press('Control+,')), shows: 'Ignore list' },
    ],
  },
  {
    name: 'tokens and their dialogs',
    path: '/ui/tokens',
    looks: [
      { shows: 'nightly backup' },
      { prepare: click('Revoke ms-reader'), shows: 'Revoke token ms-reader?', within: dialog },
      { prepare: closeThen(click('Rotate ms-reader')), shows: 'Rotate token ms-reader?', within: dialog },
      { prepare: closeThen(click('Revoked or expired 2')), shows: 'old script', within: 'main' },
      { prepare: click('Create token'), shows: 'List and download measurements', within: dialog },
      {
        prepare: async (page) => {
          await page.getByLabel('Name').fill('bench 3');
          await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
        },
        shows: 'I have saved it',
        within: dialog,
      },
    ],
  },
  {
    name: 'a token that a link asks for',
    path: '/ui/tokens?name=bench%203&scopes=read_api,sudo',
    looks: [{ shows: 'It also asks for sudo', within: dialog }],
  },
  {
    name: 'applications and their dialogs',
    path: '/ui/applications',
    looks: [
      { shows: 'Electronic lab notebook' },
      {
        prepare: (page) => page.getByText('Group website').click(),
        shows: 'Trusted: its users are not asked to approve.',
      },
      { prepare: click('Edit'), shows: 'Edit Group website', within: dialog },
      { prepare: closeThen(click('Renew secret')), shows: 'Renew the secret of Group website?', within: dialog },
      { prepare: closeThen(click('Delete')), shows: 'Delete application Group website?', within: dialog },
      { prepare: closeThen(click(/^Everybody/, 'tab')), shows: 'registered by bob' },
      { prepare: click(/^Authorized/, 'tab'), shows: 'tokens that a script got with your password' },
      { prepare: click('Revoke Password sign-in'), shows: 'Revoke Password sign-in?', within: dialog },
    ],
  },
  {
    name: 'registering an application',
    path: '/ui/applications',
    options: { unconfirmed: true },
    looks: [
      { prepare: click('Register'), shows: 'Can it keep a secret?', within: dialog },
      {
        prepare: async (page) => {
          await page.getByLabel('Name').fill('bench 3');
          await page.getByLabel('Redirect URIs').fill('https://a.example/#top');
        },
        shows: 'Line 1: The redirect URI https://a.example/#top has a fragment.',
        within: dialog,
      },
      {
        prepare: async (page) => {
          await page.getByLabel('Redirect URIs').fill('https://a.example/');
          await page.getByRole('dialog').getByRole('button', { name: 'Register' }).click();
        },
        shows: 'Confirm that it is you',
        within: dialog,
      },
      {
        prepare: async (page) => {
          await page.getByLabel('Password of alice').fill('correct horse battery');
          await page.getByRole('button', { name: 'Confirm' }).click();
        },
        shows: 'I have saved it',
        within: dialog,
      },
    ],
  },
  {
    name: 'no applications',
    path: '/ui/applications',
    options: { applications: false },
    looks: [{ shows: 'Register software that signs people in' }],
  },
  {
    name: 'nothing authorized',
    path: '/ui/applications?tab=authorized',
    options: { applications: false },
    looks: [{ shows: 'No application may act for you.' }],
  },
  {
    name: 'applications fail',
    path: '/ui/applications',
    options: { failing: 'user/applications' },
    looks: [{ shows: 'The disk of the data directory answers with errors' }],
  },
  {
    name: 'no tokens',
    path: '/ui/tokens',
    options: { tokens: false },
    looks: [{ shows: 'A token lets a lab machine or a script fetch measurements as you.' }],
  },
  {
    name: 'first run',
    options: { needsSetup: true, door: 'window' },
    inWindow: true,
    looks: [{ shows: 'Set up Benchport' }],
  },
  {
    name: 'first run without the code',
    options: { needsSetup: true },
    looks: [{ shows: 'This service has no account yet.' }],
  },
];
