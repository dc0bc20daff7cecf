import { bridgeCalls, expect, expectAccessible, test } from '../screens-fixture.ts';
import { inWindow } from '../in-window.ts';

test.setTimeout(60_000);

test('measurements of a server are searched and fetched: all, several, some files, one ZIP, paused', async ({
  page,
  open,
}) => {
  const service = await inWindow(page, open, '/ui/servers', { servers: { measurements: 1000 } });
  const asked = () =>
    service.writes
      .filter((write) => write.startsWith('POST local/fetches '))
      .map((write) => JSON.parse(write.slice('POST local/fetches '.length)) as Record<string, unknown>);
  await page.getByRole('row', { name: /bench-3/ }).click();
  const grid = page.getByRole('grid', { name: 'Measurements of bench-3' });
  await expect(grid).toHaveAttribute('aria-rowcount', '1001');
  expect(await page.getByRole('row').count()).toBeLessThan(60);
  await page.getByRole('columnheader', { name: 'Added' }).getByRole('button').click();
  await expect(page.getByRole('columnheader', { name: 'Added' })).toHaveAttribute('aria-sort', 'ascending');
  await expect
    .poll(() => service.reads.some((read) => /measurements\?.*sort=created_at&order=asc/.test(read)))
    .toBe(true);
  await grid.focus();
  await page.keyboard.press('End');
  await expect(page.getByText('qmr-2026-00001', { exact: true })).toBeVisible();
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByText('2 of 1 000 selected')).toBeVisible();
  await page.keyboard.press('f');
  await page
    .getByRole('dialog', { name: 'Fetch 2 measurements' })
    .getByRole('button', { name: 'Fetch', exact: true })
    .click();
  await expect(page.getByText('2 measurements are being fetched')).toBeVisible();
  const many = JSON.parse(
    service.writes
      .find((write) => write.startsWith('POST local/fetches/many '))
      ?.slice('POST local/fetches/many '.length) ?? '{}',
  ) as {
    measurements: { id: string }[];
  };
  expect(many.measurements.map(({ id }) => id)).toEqual(['qmr-2026-01000', 'qmr-2026-00999']);
  expect(many).toMatchObject({ server_id: 1, what: 'files', target: '/home/alice/measurements' });

  await page.getByRole('searchbox', { name: 'Search on bench-3' }).fill('00512');
  await expect(grid).toHaveAttribute('aria-rowcount', '2');
  await page.getByText('qmr-2026-00512', { exact: true }).dblclick();
  const dialog = page.getByRole('dialog', { name: 'Fetch qmr-2026-00512' });
  await dialog.getByLabel('Some files').check();
  await expect(dialog.getByRole('button', { name: 'Fetch', exact: true })).toBeDisabled();
  await expect(dialog.getByRole('checkbox', { name: /outside\.dat, leads out of the folder/ })).toBeDisabled();
  expect(await dialog.getByRole('listitem').count()).toBeLessThan(40);
  await dialog.getByRole('checkbox', { name: /frame-00002/ }).check();
  await dialog.getByLabel('Search files').fill('detector 1');
  await dialog.getByRole('button', { name: 'All 401 found' }).click();
  await expect(dialog).toContainText('402 files, 402 MiB');
  await dialog.getByRole('button', { name: 'Choose folder' }).click();
  await expect(dialog).toContainText('412 GiB free, 402 MiB needed');
  expect(await bridgeCalls(page)).toContainEqual(['chooseFetchFolder']);
  await dialog.getByLabel('Add to the list, paused').check();
  await dialog.getByRole('button', { name: 'Add to the list' }).click();
  await expect(page.getByText(/is in the list/)).toBeVisible();
  const some = asked().at(-1) ?? {};
  expect(some).toMatchObject({ measurement_id: 'qmr-2026-00512', target: '/data/fetched', paused: true });
  expect((some['indices'] as number[]).slice(0, 3)).toEqual([1, 2, 4]);
  expect((some['indices'] as number[]).length).toBe(402);

  await page.getByText('qmr-2026-00512', { exact: true }).dblclick();
  await dialog.getByLabel('One ZIP').check();
  await dialog.getByLabel('Unpack it on arrival').uncheck();
  await dialog.getByRole('button', { name: 'Fetch', exact: true }).click();
  await page.getByRole('button', { name: 'Show' }).last().click();
  await expect(page).toHaveURL(/\/ui\/transfers\/\d+$/);
  expect(asked().at(-1)).toMatchObject({ what: 'archive', unpack: false });
});

test('a server without a list accepts an id, and reports an unknown one', async ({ page, open }) => {
  const service = await inWindow(page, open, '/ui/servers/2');
  await page.getByLabel('Measurement id').fill('nothing');
  await page.getByRole('button', { name: 'Find' }).click();
  await expect(page.getByRole('alert')).toContainText('The server has no measurement "nothing"');
  await page.getByLabel('Measurement id').fill('run-7');
  await page.getByRole('button', { name: 'Find' }).click();
  await expect(page.getByRole('dialog', { name: 'Fetch run-7' })).toContainText('1 204 files');
  expect(service.writes).toEqual([]);
  await page.goto(`${service.url}/ui/servers/99`);
  await expect(page.getByText('This server is no longer in the list.')).toBeVisible();
  await page.goto(`${service.url}/ui/servers/4`);
  await expect(page.getByText('No authority that this machine knows has signed the certificate.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Show details' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/ui\/servers$/);
});

test('U9: one request adds five hundred with a progress bar; refused ones and those not added after a cancel are listed', async ({
  page,
  open,
}) => {
  const service = await inWindow(page, open, '/ui/servers', { servers: { measurements: 501 } });
  await page.getByRole('row', { name: /bench-3/ }).click();
  const grid = page.getByRole('grid', { name: 'Measurements of bench-3' });
  await expect(grid).toHaveAttribute('aria-rowcount', '502');
  const fetchAll = async (): Promise<void> => {
    await grid.focus();
    await page.keyboard.press('Control+a');
    await expect(page.getByText('501 of 501 selected')).toBeVisible();
    await page.keyboard.press('f');
    await page.getByRole('dialog').getByRole('button', { name: 'Fetch', exact: true }).click();
  };
  const asked = (): number => service.writes.filter((write) => write.startsWith('POST local/fetches/many ')).length;

  // The response is delayed, so that progress is visible and cancelled; the service then returns
  // those added by then.
  let go = (): void => undefined;
  let key = '';
  await page.route('**/api/v4/local/fetches/many', async (route) => {
    const body = route.request().postDataJSON() as { key: string; measurements: { id: string }[] };
    key = body.key;
    await new Promise<void>((resolve) => (go = resolve));
    const response = await route.fetch({ postData: { ...body, measurements: body.measurements.slice(0, 100) } });
    const { results } = (await response.json()) as { results: object[] };
    const left = body.measurements.slice(100).map(({ id }) => ({ measurement_id: id, fetch: null, problem: null }));
    await route.fulfill({ response, json: { results: [...results, ...left] } });
  });
  await fetchAll();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('0 of 501 measurements')).toBeVisible();
  await expect.poll(() => key).not.toBe('');
  service.emit('adding', { key: 'of another window', done: 300, total: 501 });
  service.emit('adding', { key, done: 50, total: 501 });
  await expect(dialog.getByText('50 of 501 measurements')).toBeVisible();
  await expect(dialog.getByRole('progressbar', { name: 'Added to the list' })).toHaveAttribute('aria-valuenow', '9');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog.getByText('Stopping.')).toBeVisible();
  await expect
    .poll(() => service.writes.filter((write) => write.startsWith(`DELETE local/fetches/many/${key}`)).length)
    .toBe(1);
  go();
  await expect(dialog.getByText('100 of 501 measurements are in the list.')).toBeVisible();
  await expect(dialog.getByText('Cancelled: 401 were not added.')).toBeVisible();
  expect(asked()).toBe(1);
  await dialog.getByRole('button', { name: 'Close' }).first().click();

  await page.unroute('**/api/v4/local/fetches/many');
  await fetchAll();
  await expect(dialog.getByText('401 of 501 measurements are in the list.')).toBeVisible();
  expect(asked()).toBe(2);
  await expect(
    dialog.getByText('100 measurements could not be added: This is already being fetched into this folder.'),
  ).toBeVisible();
  await expect(dialog.getByText(/and 95 more/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Show transfers' }).click();
  await expect(page).toHaveURL(/\/ui\/transfers/);
});

test('U9: a fetch waits until its selection is loaded, and a disabled button says why', async ({ page, open }) => {
  const service = await inWindow(page, open, '/ui/servers', { servers: { measurements: 300 } });
  await page.goto(`${service.url}/ui/servers/1`);
  const grid = page.getByRole('grid', { name: /^Measurements of/ });
  const button = page.getByRole('button', { name: 'Fetch', exact: true });
  await expect(button).toHaveAttribute('aria-disabled', 'true');
  await expect(button).toHaveAccessibleDescription('Select a measurement in the list first.');
  await button.click({ force: true });
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await grid.getByRole('row').nth(1).click();
  await expect(button).toHaveAttribute('aria-disabled', 'false');
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/local/servers/1/measurements?**', async (route) => {
    await held;
    await route.continue();
  });
  await page.keyboard.press('Control+a');
  await expect(button).toHaveAccessibleDescription('The rows to select are still being read from the server.');
  await page.keyboard.press('f');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  release();
  await expect(page.getByText('300 of 300 selected')).toBeVisible();
  await page.keyboard.press('f');
  await expect(page.getByRole('dialog', { name: 'Fetch 300 measurements' })).toBeVisible();
});
