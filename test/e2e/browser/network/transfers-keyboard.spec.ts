import { bridgeCalls, expect, test } from '../screens-fixture.ts';
import { inWindow } from '../in-window.ts';
import { acts, row } from './transfers-page.ts';

test.setTimeout(60_000);

test('transfers are selected, paused, moved, opened, removed and restored by keyboard', async ({ page, open }) => {
  const service = await inWindow(page, open, '/ui/transfers', { fetches: { count: 15 } });
  const grid = page.getByRole('grid', { name: 'Transfers' });
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByText('3 of 15 selected')).toBeVisible();
  await page.keyboard.press('p');
  await expect.poll(() => acts(service)).toEqual(['{"action":"pause","ids":[1,2,3]}']);
  await expect(row(page, /blank 1 /)).toContainText('paused');
  await page.keyboard.press('r');
  await page.keyboard.press('Alt+Home');
  await expect.poll(() => acts(service).at(-1)).toBe('{"action":"first","ids":[1,2,3]}');
  await page.keyboard.press('Home');
  await page.keyboard.press('h');
  await expect.poll(() => service.writes.at(-1)).toBe('PATCH local/fetches/1 {"priority":1}');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/ui\/transfers\/1$/);
  await expect(page.getByRole('heading', { name: 'Mass spectrum of the blank 1' })).toBeVisible();
  await page.keyboard.press('End');
  await expect(page).toHaveURL(/\/ui\/transfers\/15$/);
  await page.keyboard.press('v');
  await expect.poll(() => acts(service).at(-1)).toBe('{"action":"verify","ids":[15]}');
  await page.keyboard.press('Escape');
  await expect(grid).toBeFocused();
  await page.keyboard.press('ArrowUp');
  // An ended transfer leaves the list at once and can be restored; until then the service is not
  // called.
  await page.keyboard.press('Delete');
  await expect(row(page, /qmr-2026-014/)).toHaveCount(0);
  await expect(page.getByText('qmr-2026-014 removed from the list')).toBeVisible();
  await expect(grid).toHaveAttribute('aria-rowcount', '15');
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect(row(page, /qmr-2026-014/)).toBeVisible();
  expect(acts(service).some((act) => act.includes('remove'))).toBe(false);
  // Running transfers need a confirmation, with Cancel as the default.
  await grid.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Delete');
  const dialog = page.getByRole('alertdialog', { name: 'Stop and remove Mass spectrum of the blank 1?' });
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Stop and remove' }).click();
  await expect(row(page, /blank 1 /)).toHaveCount(0);
  await expect
    .poll(() => acts(service).slice(-2))
    .toEqual(['{"action":"cancel","ids":[1]}', '{"action":"remove","ids":[1]}']);
});

test('a removed transfer is deleted when the time for undo is over', async ({ page, open }) => {
  await page.clock.install();
  const service = await inWindow(page, open, '/ui/transfers', { fetches: { kinds: ['done', 'done', 'failed'] } });
  await row(page, /blank 1 /).click({ modifiers: ['Control'] });
  await row(page, /capillary 3/).click({ modifiers: ['Control'] });
  await page.keyboard.press('Delete');
  await expect(page.getByText('2 transfers removed from the list')).toBeVisible();
  await expect(page.getByRole('button', { name: 'All 1' })).toBeVisible();
  await page.clock.runFor(6500);
  await expect.poll(() => acts(service)).toEqual(['{"action":"remove","ids":[1,3]}']);
  await page.clock.runFor(1000);
  await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '2');
});

test('all at once: pause, resume, a limit; done ones are shown and dragged out; the menu of a row', async ({
  page,
  open,
}) => {
  const service = await inWindow(page, open, '/ui/transfers', { fetches: { kinds: ['fetching', 'queued', 'done'] } });
  await page.getByRole('button', { name: 'Pause all' }).click();
  await expect(page.getByRole('button', { name: 'Resume all' })).toBeVisible();
  await page.getByRole('button', { name: 'Resume all' }).click();
  await expect(page.getByRole('button', { name: 'Pause all' })).toBeVisible();
  await expect.poll(() => acts(service)).toEqual(['{"action":"pause","ids":"all"}', '{"action":"resume","ids":"all"}']);
  await page.getByRole('button', { name: 'Speed limit: No limit' }).click();
  await page.getByRole('menuitemcheckbox', { name: '20 MiB/s' }).click();
  await expect(page.getByRole('button', { name: 'Speed limit: 20 MiB/s' })).toBeVisible();
  await page.getByRole('button', { name: 'Speed limit: 20 MiB/s' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Another…' }).click();
  await page.getByLabel('At most, MiB/s').fill('fast');
  await expect(page.getByRole('button', { name: 'Set limit' })).toBeDisabled();
  await page.getByLabel('At most, MiB/s').fill('2,5');
  await page.getByRole('button', { name: 'Set limit' }).click();
  await expect(page.getByRole('button', { name: 'Speed limit: 2.5 MiB/s' })).toBeVisible();
  expect(service.writes.at(-1)).toContain('"speed_limit":2621440');
  await row(page, /capillary 3/).click({ button: 'right' });
  await expect(page.getByRole('menuitem', { name: /Pause/ })).toHaveCount(0);
  await page.getByRole('menuitem', { name: /Show in folder/ }).click();
  expect(await bridgeCalls(page)).toContainEqual(['showInFolder', '/home/alice/measurements/qmr-2026-003']);
  await row(page, /capillary 3/).dispatchEvent('dragstart');
  await expect.poll(() => bridgeCalls(page)).toContainEqual(['startDrag', '/home/alice/measurements/qmr-2026-003']);
});
