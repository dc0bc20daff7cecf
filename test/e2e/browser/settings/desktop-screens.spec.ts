import type { Page } from '@playwright/test';
import { shut } from '../../../screenshots/sharing-scene.ts';
import { lookAt } from '../look.ts';
import { bridgeCalls, expect, expectAccessible, giveBridge, test } from '../screens-fixture.ts';

// Screens that only the window has: settings of the desktop and of fetching, and the first run.

const hour = (page: Page, name: string) => page.getByRole('gridcell', { name, exact: true });

test('in the window the settings of the desktop and of fetching take effect at once', async ({ page, open }) => {
  await page.setViewportSize({ width: 1280, height: 1500 });
  await giveBridge(page);
  const service = await open('/ui/settings', { door: 'window' });
  await page.getByLabel('Keep the computer awake').check();
  await page.getByLabel('An error is new').uncheck();
  await page.getByLabel('Start when I sign in').check();
  await expect(page.getByLabel('Start when I sign in')).toBeChecked();
  expect((await bridgeCalls(page)).filter(([name]) => name === 'setDesktopSettings')).toEqual([
    ['setDesktopSettings', { keepAwake: true }],
    ['setDesktopSettings', { notifications: { error: false } }],
    ['setDesktopSettings', { startAtLogin: true }],
  ]);

  await expect(page.getByText('It has not checked for updates yet')).toBeVisible();
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(page.getByText('This is Benchport 0.1.0. Version 0.2.0 is there.')).toBeVisible();
  await page.getByRole('button', { name: 'Download' }).click();
  await page.getByRole('button', { name: 'Restart and install' }).click();
  await expect(page.getByText('Version 0.2.0 waits for fetches and jobs such as a registration to end.')).toBeVisible();
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect(page.getByRole('button', { name: 'Install when Benchport quits' })).toBeVisible();
  await page.getByLabel('Download them in the background').check();
  await page.getByLabel('Check for new versions').uncheck();
  await expect(page.getByLabel('Download them in the background')).toBeDisabled();

  const fetching = page.locator('#fetching');
  await expect(fetching.getByRole('button', { name: 'Save' })).toHaveCount(0);
  await page.getByLabel('Simultaneous fetches').selectOption('2');
  await expect(fetching.getByText('Saved', { exact: true })).toHaveCount(1);
  expect(service.writes).toEqual([expect.stringContaining('"at_most":2,"connections":4,"speed_limit":null')]);
  const rate = page.getByLabel('Total speed limit');
  await rate.fill('fast');
  await rate.blur();
  await expect(page.getByText('A number of MiB/s, such as 2.5.')).toBeVisible();
  await expect(rate).toHaveValue('fast');
  expect(service.writes).toHaveLength(1);
  await rate.fill('2.5');
  await rate.press('Enter');
  await expect(fetching.getByText('Saved', { exact: true })).toHaveCount(2);
  const folder = page.getByLabel('Default folder for fetches');
  // A button that becomes disabled leaves the focus nearby.
  await folder.locator('..').getByRole('button', { name: 'Clear' }).press('Enter');
  await expect(folder).toBeFocused();
  await folder.locator('..').getByRole('button', { name: 'Choose' }).click();
  await page.getByLabel('Only at certain hours').check();
  await expect(
    page.getByText('Monday to Friday 0:00 to 7:00 and 19:00 to 24:00; Saturday and Sunday all day'),
  ).toBeVisible();
  await lookAt(page);

  await page.getByRole('button', { name: 'No hours' }).click();
  await expect(page.getByText('Choose at least one hour')).toBeVisible();
  expect(service.writes.filter((write) => write.includes(`"schedule":"${'0'.repeat(168)}"`))).toEqual([]);
  // By mouse a rectangle, by keyboard a row.
  await hour(page, 'Monday 20:00 to 21:00').dragTo(hour(page, 'Tuesday 22:00 to 23:00'));
  await expect(page.getByText('Monday and Tuesday 20:00 to 23:00')).toBeVisible();
  await hour(page, 'Monday 20:00 to 21:00').click();
  await expect(page.getByText('Monday 21:00 to 23:00; Tuesday 20:00 to 23:00')).toBeVisible();
  await hour(page, 'Saturday 0:00 to 1:00').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Saturday 0:00 to 3:00; Sunday 2:00 to 3:00')).toBeVisible();
  await expect(page.getByRole('gridcell', { selected: true })).toHaveCount(9);
  await expect(fetching.getByText('Saved', { exact: true })).toHaveCount(2);
  await expect
    .poll(() =>
      service.writes
        .at(-1)
        ?.match(/"schedule":"([01]*)"/)?.[1]
        ?.replaceAll('0', ''),
    )
    .toHaveLength(9);
  const [, written] = /^PUT local\/fetch-settings (.*)$/.exec(service.writes.at(-1) ?? '') ?? [];
  expect(JSON.parse(written ?? '{}')).toMatchObject({
    at_most: 2,
    speed_limit: 2_621_440,
    target: '/data/fetched',
    schedule: /^[01]{168}$/.exec((JSON.parse(written ?? '{}') as { schedule: string }).schedule)?.[0],
  });

  await page.setViewportSize({ width: 360, height: 740 });
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

test('the first run shows the data directory, resumes at its step, and ends at an action', async ({ page, open }) => {
  await giveBridge(page);
  await page.route('**/api/v4/local/sharing', (route) => route.fulfill({ json: { ...shut, needs_password: true } }));
  await open('/ui/', { needsSetup: true, door: 'window' });
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('/home/alice/.local/share/Benchport')).toBeVisible();
  await lookAt(page);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'A password for your account' })).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Your account needs a password first.')).toBeVisible();
  // The window is closed and opened again.
  await page.goto('about:blank');
  await page.goBack();
  await page.evaluate(() => window.location.assign('/ui/'));
  await expect(page.getByRole('heading', { name: 'On the local network' })).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.setViewportSize({ width: 360, height: 740 });
  await lookAt(page);
  await page.getByRole('button', { name: 'Register a folder' }).click();
  await expect(page.getByRole('dialog', { name: 'Register' })).toBeVisible();
  await page.evaluate(() => window.location.assign('/ui/'));
  await expect(page.getByRole('heading', { name: 'Measurements' }).first()).toBeVisible();
});
