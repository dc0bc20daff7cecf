import { lookAt } from '../look.ts';
import { bridgeCalls, expect, expectAccessible, test } from '../screens-fixture.ts';
import { inWindow } from '../in-window.ts';
import { acts, row } from './transfers-page.ts';

test.setTimeout(60_000);

test('U12: headings sort the transfers through the service, then restore the queue; several have a bar', async ({
  page,
  open,
}) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  const service = await inWindow(page, open, '/ui/transfers', { fetches: { count: 200 } });
  const size = page.getByRole('columnheader', { name: 'Size' });
  await size.getByRole('button').click();
  await expect(size).toHaveAttribute('aria-sort', 'descending');
  await expect(page).toHaveURL(/sort=size&order=desc/);
  await expect.poll(() => service.reads.some((read) => /local\/fetches\?.*sort=size/.test(read))).toBe(true);
  await size.getByRole('button').click();
  await expect(size).toHaveAttribute('aria-sort', 'ascending');
  await size.getByRole('button').click();
  await expect(size).toHaveAttribute('aria-sort', 'none');
  const rows = page.getByRole('grid', { name: 'Transfers' }).getByRole('row');
  await rows.nth(1).click();
  await rows.nth(4).click({ modifiers: ['Shift'] });
  const bar = page.getByRole('toolbar', { name: 'With the selected transfers' });
  await expect(bar).toContainText('4 selected');
  await bar.getByRole('button', { name: 'Clear' }).click();
  await expect(bar).toHaveCount(0);
});

test('a transfer that needs the user says why and has one action for it', async ({ page, open }) => {
  const service = await inWindow(page, open, '/ui/transfers?filter=attention', { fetches: { count: 15 } });
  await expect(page.getByRole('row')).toHaveCount(5);
  await page.getByRole('button', { name: /New token for/ }).click();
  const dialog = page.getByRole('dialog', { name: 'New token for bench-3' });
  await expect(dialog).toContainText('it expired on 3 March');
  await dialog.getByLabel('Token').fill(' bppat-7Yk2mQ9xV4cTz8WfR1nLb6HsJ3pDg5Ae ');
  await dialog.getByRole('button', { name: 'Save and continue' }).click();
  await expect(dialog).toHaveCount(0);
  expect(service.writes).toContain('PATCH local/servers/1 {"token":"bppat-7Yk2mQ9xV4cTz8WfR1nLb6HsJ3pDg5Ae"}');
  await expect.poll(() => acts(service).at(-1)).toBe('{"action":"resume","ids":[8]}');
  await expect(page.getByRole('row')).toHaveCount(4);

  await page.getByRole('button', { name: /Choose folder for/ }).click();
  await expect.poll(() => acts(service).at(-1)).toBe('{"action":"resume","ids":[9]}');
  expect(await bridgeCalls(page)).toContainEqual(['chooseFetchFolder']);
  expect(service.writes).toContain('PATCH local/fetches/9 {"target":"/data/fetched"}');

  await row(page, /film 10/).click();
  await expect(page.getByRole('complementary')).toContainText('21.8 GiB needed, 412 GiB free');
  await page.getByRole('complementary').getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => acts(service).at(-1)).toBe('{"action":"resume","ids":[10]}');

  await page.getByRole('button', { name: /Show details for/ }).click();
  const certificate = page.getByRole('dialog', { name: 'Trust the certificate of bench-3?' });
  await expect(certificate).toContainText('9f86 d081');
  await certificate.getByRole('button', { name: 'They match, trust it' }).click();
  await expect.poll(() => acts(service).at(-1)).toBe('{"action":"resume","ids":[11]}');
  await expect(page.getByText('Needs you: no transfer.')).toBeVisible();
});

test('one transfer in detail: files with the failed ones first, pieces, log', async ({ page, open }) => {
  const service = await inWindow(page, open, '/ui/transfers/13', { fetches: { count: 15 } });
  const panel = page.getByRole('complementary', { name: 'Transfer' });
  await expect(panel).toContainText('1c291ca3 is listed, 9be3e0a3 came');
  await panel.getByRole('tab', { name: 'Files' }).click();
  await expect(panel.getByRole('button', { name: 'Failed 2' })).toHaveAttribute('aria-pressed', 'true');
  await expect(panel.getByRole('listitem')).toHaveCount(2);
  await panel.getByRole('button', { name: 'All' }).click();
  await expect(panel.getByRole('button', { name: 'All 1 204' })).toBeVisible();
  expect(await panel.getByRole('listitem').count()).toBeLessThan(60);
  await panel.getByRole('tab', { name: 'Log' }).click();
  await expect(panel.getByText('The connection was cut at byte')).toBeVisible();
  await row(page, /blank 1 /).click();
  await panel.getByRole('tab', { name: 'Pieces' }).click();
  await expect(panel.getByRole('img', { name: '53 % on the disk in 3 pieces, 3 on the way' })).toBeVisible();
  await page.goto(`${service.url}/ui/transfers/4711`);
  await expect(page.getByText('There is no such transfer. It may have been removed from the list.')).toBeVisible();
});

test('search and filter are in the address; an empty and a failed list say what to do', async ({ page, open }) => {
  const service = await inWindow(page, open, '/ui/transfers?filter=bogus', { fetches: { count: 15 } });
  await page.getByRole('button', { name: 'Failed 2' }).click();
  expect(service.reads).toContain('local/fetches?filter=all&sort=queue&order=asc&offset=0&limit=100');
  await expect(page).toHaveURL(/\?filter=failed$/);
  await page.keyboard.press('Control+f');
  await page.keyboard.type('nowhere');
  await expect(page.getByText('No transfer matches “nowhere”.')).toBeVisible();
  await expect(page).toHaveURL(/filter=failed&search=nowhere/);
  expect(service.reads).toContain('local/fetches?filter=failed&search=nowhere&sort=queue&order=asc&offset=0&limit=100');
  await inWindow(page, open, '/ui/transfers');
  await page.getByRole('button', { name: 'Choose a server' }).click();
  await expect(page).toHaveURL(/\/ui\/servers$/);
  await inWindow(page, open, '/ui/transfers', { failing: 'local/fetches' });
  await expect(page.getByRole('alert')).toContainText('The disk of the data directory answers with errors');
});

test('a browser has neither Transfers nor Servers', async ({ page, open }) => {
  const service = await open('/ui/transfers');
  await expect(page.getByText('This screen is available only in the Benchport window.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Errors' })).toBeVisible();
  await expect(page.getByRole('link', { name: /Transfers|Servers/ })).toHaveCount(0);
  await page.keyboard.press('Control+Shift+p');
  expect(service.reads.some((read) => read.startsWith('local/'))).toBe(false);
  expect(service.writes).toEqual([]);
});

test('has no accessibility violations, busy and waiting for the user, in every tab', async ({ page, open }) => {
  const service = await inWindow(page, open, '/ui/transfers', { fetches: { count: 15 } });
  service.emit('incoming', { down_bytes_per_second: 92_274_688, running: 2, seconds_left: 253 });
  await expect(row(page, /film 10/)).toBeVisible();
  await lookAt(page);
  await row(page, /blank 13/).click();
  for (const tab of ['Overview', 'Files', 'Pieces', 'Log']) {
    await page.getByRole('tab', { name: tab }).click();
    await expect(page.getByRole('tabpanel', { name: tab })).toBeVisible();
    await expectAccessible(page, { within: '[role="complementary"], aside' });
  }
});

test('at 360 px nothing is cut off: list and transfer as two pages', async ({ page, open }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await inWindow(page, open, '/ui/transfers', { fetches: { count: 15 } });
  await expect(row(page, /blank 1 /)).toBeVisible();
  const within = () =>
    page.evaluate(
      () =>
        document.documentElement.scrollWidth <= 360 &&
        (document.querySelector('main')?.getBoundingClientRect().right ?? 999) <= 360,
    );
  expect(await within()).toBe(true);
  await expectAccessible(page);
  await row(page, /blank 1 /).click();
  await expect(page.getByRole('tab', { name: 'Pieces' })).toBeVisible();
  expect(await within()).toBe(true);
  await page.getByRole('button', { name: 'Back to the list' }).click();
  await expect(row(page, /blank 1 /)).toBeVisible();
});

test('U12: completed transfers are cleared at once, and no others', async ({ page, open }) => {
  const service = await inWindow(page, open, '/ui/transfers', {
    fetches: { kinds: ['fetching', 'queued', 'failed', 'done'], count: 6 },
  });
  await expect(page.getByRole('button', { name: 'Done 3' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear completed' }).click();
  await expect(page.getByRole('button', { name: 'All 3' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Clear completed' })).toHaveCount(0);
  await expect(page.getByText('The files stay where they are.')).toBeVisible();
  expect(acts(service)).toEqual(['{"action":"clear","ids":"all"}']);
});

test('U12: with many selected, and a transfer open beside the list, the search box is wide enough to use', async ({
  page,
  open,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await inWindow(page, open, '/ui/transfers', { fetches: { count: 12_000 } });
  const rows = page.getByRole('grid', { name: 'Transfers' }).getByRole('row');
  await rows.nth(1).dblclick();
  await page.getByRole('grid', { name: 'Transfers' }).focus();
  await page.keyboard.press('Control+a');
  await expect(page.getByRole('toolbar', { name: 'With the selected transfers' })).toBeVisible();
  const box = await page.getByRole('searchbox', { name: 'Search transfers' }).boundingBox();
  expect(box?.width).toBeGreaterThan(50);
});
