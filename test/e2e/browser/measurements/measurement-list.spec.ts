import { expect, expectAccessible, test } from '../screens-fixture.ts';

test.describe('the list', () => {
  test('shows ten thousand rows with a few elements and loads pages on scrolling', async ({ page, open }) => {
    const service = await open('/ui/measurements', { measurements: 10_000 });
    const grid = page.getByRole('grid', { name: 'Measurements' });
    await expect(grid).toHaveAttribute('aria-rowcount', '10001');
    expect(await page.getByRole('row').count()).toBeLessThan(60);
    const lists = () =>
      service.reads.filter((read) => read.startsWith('measurements?') && !read.includes('problems=true')).length;
    expect(lists()).toBe(1);

    await grid.focus();
    await page.keyboard.press('End');
    await expect(page.getByText('afm-scan-00001')).toBeVisible();
    expect(await page.getByRole('row').count()).toBeLessThan(60);
    // The first page and a few around the end, but not the hundred between.
    expect(lists()).toBeLessThan(6);

    await page.keyboard.press('Home');
    await expect(page.getByText('qmr-2026-10000')).toBeVisible();
  });

  test('is used with arrows and letters, opened with Enter, closed with Esc', async ({ page, open }) => {
    await open('/ui/measurements', { measurements: 300 });
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/ui\/measurements\/ms-run-00299$/);
    await expect(page.getByRole('heading', { name: 'ms-run-00299' })).toBeVisible();
    // An open inspector follows the cursor.
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('heading', { name: 'pl-film-00298' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('grid')).toBeFocused();
  });

  test('is dimmed and inert behind an inspector that covers it, until that is closed', async ({ page, open }) => {
    await page.setViewportSize({ width: 880, height: 640 });
    await open('/ui/measurements', { measurements: 30 });
    const grid = page.getByRole('grid');
    const panel = page.getByRole('complementary', { name: 'Measurement qmr-2026-00030' });
    await grid.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(panel).toBeFocused();
    await page.getByText('This measurement has no files.').waitFor();
    await expectAccessible(page);
    // The focus goes through the panel, and to nothing that it covers.
    await page.keyboard.press('Shift+Tab');
    await expect(page.getByRole('button', { name: 'Signed in as alice' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(grid).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(panel).toBeFocused();
    // A click outside closes it.
    await page.mouse.click(260, 300);
    await expect(panel).toHaveCount(0);
    await expect(grid).toBeFocused();
  });

  test('selects with Ctrl and Shift, also across pages that are not loaded', async ({ page, open }) => {
    await open('/ui/measurements', { measurements: 1000 });
    await page.getByText('qmr-2026-01000').click({ modifiers: ['Control'] });
    await page.getByText('pl-film-00998').click({ modifiers: ['Control'] });
    await expect(page.getByText('2 of 1 000 selected')).toBeVisible();
    await page.getByText('ms-run-00999').click({ modifiers: ['Control'] });
    await page.keyboard.press('End');
    await page.getByText('qmr-2026-01000').waitFor({ state: 'detached' });
    await page.keyboard.press('Home');
    await page.getByText('qmr-2026-01000').click({ modifiers: ['Control'] });
    await page.getByRole('grid').evaluate((grid) => grid.scrollTo({ top: grid.scrollHeight }));
    await page.getByText('afm-scan-00001').click({ modifiers: ['Shift'] });
    await expect(page.getByText('1 000 of 1 000 selected')).toBeVisible();
  });

  test('selects all matches, also those not loaded', async ({ page, open }) => {
    await open('/ui/measurements?search=xrd', { measurements: 1000 });
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+a');
    await expect(page.getByText('200 of 200 selected')).toBeVisible();
  });

  test('shows the title beside the name, in a separate column where there is room', async ({ page, open }) => {
    await open('/ui/measurements', { measurements: 30 });
    await expect(page.getByRole('columnheader', { name: 'Title' })).toBeVisible();
    await expect(page.getByRole('gridcell', { name: 'Mass spectrum of the blank 29' })).toBeVisible();
    await page.getByText('ms-run-00029').click();
    // An open inspector leaves less room: the file count is hidden, the title stays.
    await expect(page.getByRole('columnheader', { name: 'Files' })).toHaveCount(0);
    await expect(page.getByRole('gridcell', { name: 'ms-run-00029', exact: true })).toBeVisible();
    await expect(page.getByRole('gridcell', { name: 'Mass spectrum of the blank 29' })).toBeVisible();
    // Titles are aligned with each other and with their heading, however long the names are.
    const lefts = await page
      .getByRole('grid')
      .getByRole('row')
      .evaluateAll((rows) =>
        rows.map((row) =>
          Math.round(
            row.querySelectorAll('[role="gridcell"], [role="columnheader"]')[1]?.getBoundingClientRect().left ?? 0,
          ),
        ),
      );
    expect(new Set(lefts).size).toBe(1);
    await page.getByRole('columnheader', { name: 'Title' }).getByRole('button').click();
    await expect(page).toHaveURL(/sort=title&order=asc/);
    await expect(page.getByRole('columnheader', { name: 'Title' })).toHaveAttribute('aria-sort', 'ascending');
  });

  test('searches and sorts through the service, and the address keeps both', async ({ page, open }) => {
    const service = await open('/ui/measurements', { measurements: 300 });
    await page.getByRole('columnheader', { name: 'Size' }).getByRole('button').click();
    await expect(page.getByRole('columnheader', { name: 'Size' })).toHaveAttribute('aria-sort', 'descending');
    await page.keyboard.press('Control+f');
    await page.keyboard.type('xrd');
    await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '61');
    await expect(page).toHaveURL(/\?search=xrd&sort=total_bytes&order=desc$/);
    expect(service.reads).toContain('measurements?page=1&per_page=100&search=xrd&sort=total_bytes&order=desc');
    await page.reload();
    await expect(page.getByRole('searchbox')).toHaveValue('xrd');
  });

  test('no shortcut works while the user types', async ({ page, open }) => {
    await open('/ui/measurements/ms-run-00299', { measurements: 300 });
    await page.getByRole('tab', { name: 'Files' }).waitFor();
    await page.getByRole('searchbox', { name: 'Search measurements' }).focus();
    for (const key of ['v', '?', 'n', 'Delete', 'Control+k', 'Control+6']) await page.keyboard.press(key);
    await expect(page.getByRole('searchbox', { name: 'Search measurements' })).toHaveValue('v?n');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    await expect(page).toHaveURL(/\/ui\/measurements\/ms-run-00299/);
  });

  test('is reloaded when the service announces a change, and after a gap', async ({ page, open }) => {
    const service = await open('/ui/measurements', { measurements: 3 });
    await expect(page.getByText('service running')).toBeVisible();
    const lists = () =>
      service.reads.filter((read) => read.startsWith('measurements?') && !read.includes('problems=true')).length;
    const before = lists();
    service.emit('changed', { topic: 'measurements' });
    await expect.poll(lists).toBe(before + 1);
    service.dropListeners();
    await expect(page.getByText('service does not answer')).toBeVisible();
    await expect(page.getByText('service running')).toBeVisible({ timeout: 15_000 });
    await expect.poll(lists).toBe(before + 2);
  });

  test('a failure shows its reason and the request id, and can be retried', async ({ page, open }) => {
    await open('/ui/measurements', { measurements: 3, failing: 'measurements' });
    const note = page.getByRole('alert');
    await expect(note).toContainText('The disk of the data directory answers with errors');
    await expect(note).toContainText('req-7f3a91c2');
    await expect(note.getByRole('button', { name: 'Try again' })).toBeVisible();
  });
});

test.describe('removing', () => {
  test('asks first, says that the files are kept or deleted, and defaults to Cancel', async ({ page, open }) => {
    const service = await open('/ui/measurements', { measurements: 30 });
    await page.getByText('ms-run-00029').click();
    await page.keyboard.press('Delete');
    const dialog = page.getByRole('alertdialog', { name: 'Remove ms-run-00029?' });
    await expect(dialog).toContainText('stay in their folder; Benchport only removes them from its list');
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
    expect(service.writes).toEqual([]);

    await page.getByRole('grid').focus();
    await page.keyboard.press('Delete');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByRole('grid').getByText('ms-run-00029')).toHaveCount(0);
    await expect(page).toHaveURL(/\/ui\/measurements$/);
    expect(service.writes).toEqual(['DELETE measurements/ms-run-00029 {}']);
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('ms-run-00029 restored')).toBeVisible();
    await expect(page.getByRole('grid').getByText('ms-run-00029')).toBeVisible();
  });
});
