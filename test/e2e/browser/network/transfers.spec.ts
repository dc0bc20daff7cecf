import type { Page } from '@playwright/test';
import type { FakeOptions, FakeService } from '../../../renderer/fakes/fake-service.ts';
import { lookAt } from '../look.ts';
import { bridgeCalls, expect, expectAccessible, giveBridge, test } from '../screens-fixture.ts';

test.setTimeout(60_000);

type Open = (path: string, options?: Omit<FakeOptions, 'rendererDir'>) => Promise<FakeService>;

/** Opens the screen as in the window. */
async function inWindow(
  page: Page,
  open: Open,
  path: string,
  options: Omit<FakeOptions, 'rendererDir'> = {},
): Promise<FakeService> {
  await giveBridge(page);
  return open(path, { door: 'window', ...options });
}

/** The row of a transfer: `Mass spectrum of the blank 1` and so on. */
const row = (page: Page, name: RegExp) => page.getByRole('row', { name });
const acts = (service: FakeService) =>
  service.writes
    .filter((write) => write.includes('local/fetches'))
    .map((write) => write.replace('POST local/fetches/actions ', ''));

test('ten thousand rows are a few elements; pages load on scrolling, and all can be selected', async ({
  page,
  open,
}) => {
  const service = await inWindow(page, open, '/ui/transfers', { fetches: { count: 10_000 } });
  const grid = page.getByRole('grid', { name: 'Transfers' });
  await expect(grid).toHaveAttribute('aria-rowcount', '10001');
  expect(await page.getByRole('row').count()).toBeLessThan(60);
  const pages = () => service.reads.filter((read) => /local\/fetches\?.*limit=100/.test(read)).length;
  expect(pages()).toBe(1);
  await grid.focus();
  await page.keyboard.press('End');
  await expect(row(page, /10000/)).toBeVisible();
  // Moving the cursor requests no row that the list has already loaded.
  const alone = () => service.reads.filter((read) => /local\/fetches\/\d+$/.test(read)).length;
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowUp');
  await expect(row(page, /9997/)).toHaveAttribute('aria-selected', 'true');
  expect(alone()).toBe(0);
  expect(await page.getByRole('row').count()).toBeLessThan(60);
  expect(pages()).toBeLessThan(6);
  for (let step = 0; step < 20; step += 1) await grid.evaluate((element) => element.scrollBy(0, -7000));
  expect(await page.getByRole('row').count()).toBeLessThan(60);
  await page.keyboard.press('Control+a');
  await expect(page.getByText('10 000 of 10 000 selected')).toBeVisible();
  await page.keyboard.press('p');
  await expect.poll(() => acts(service).length).toBe(1);
  expect(await page.getByRole('row').count()).toBeLessThan(60);
});

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

test('progress rerenders its own row only', async ({ page, open }) => {
  const service = await inWindow(page, open, '/ui/transfers', { fetches: { count: 15 } });
  await expect(row(page, /blank 1 /)).toContainText('43 %');
  await page.evaluate(() => {
    const changed = new Set<string>();
    Object.assign(window, { changed });
    new MutationObserver((records) => {
      for (const { target } of records)
        changed.add(
          (target instanceof Element ? target : target.parentElement)?.closest('[role=row]')?.id ?? 'elsewhere',
        );
    }).observe(document.querySelector('[role=grid]') as Element, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
  });
  const [first] = service.fetches.list();
  if (first === undefined) throw new Error('There is no transfer');
  const lists = () => service.reads.filter((read) => read.startsWith('local/fetches?')).length;
  const before = lists();
  service.emit('fetch', { ...first, bytes_done: Math.round((first.bytes_total ?? 0) * 0.5) });
  await expect(row(page, /blank 1 /)).toContainText('50 %');
  await expect(
    page.getByRole('progressbar', { name: 'Progress of Mass spectrum of the blank 1', exact: true }),
  ).toHaveAttribute('aria-valuenow', '50');
  const changed = await page.evaluate(() => [...(window as unknown as { changed: Set<string> }).changed]);
  // One counts down to its next retry meanwhile.
  expect(changed.filter((id) => id !== 'transfer-6')).toEqual(['transfer-1']);
  expect(lists()).toBe(before);
  // A new state reloads the list, because the queue has another order.
  service.fetches.put({
    ...first,
    state: 'done',
    phase: null,
    ended_at: new Date().toISOString(),
    verified_at: new Date().toISOString(),
  });
  service.emit('fetch', {
    ...first,
    state: 'done',
    phase: null,
    ended_at: new Date().toISOString(),
    verified_at: new Date().toISOString(),
  });
  await expect(row(page, /blank 1 /)).toContainText('done');
  await expect.poll(lists).toBeGreaterThan(before);
  // The totals: the curve's description, the status bar, the sidebar. Rates are sent once a second
  // and are valid for two and a half.
  await expect(async () => {
    service.emit('incoming', { down_bytes_per_second: 92_274_688, running: 2, seconds_left: 253 });
    await expect(page.getByRole('contentinfo')).toContainText('88.0 MiB/s', { timeout: 1000 });
    await expect(page.getByRole('contentinfo')).toContainText('6 left, 4 min', { timeout: 1000 });
    await expect(
      page.getByRole('img', { name: /^Receiving: now 88\.0 MiB\/s; in the last minute at most 88\.0 MiB\/s/ }),
    ).toBeVisible({ timeout: 1000 });
  }).toPass();
  await expect(page.getByRole('link', { name: /Transfers/ })).toContainText('4 need you');
});

test('a step through the list rerenders two rows and the parts that follow the selection', async ({ page, open }) => {
  await page.addInitScript(() => {
    // Reads from React's fibers which components were rendered: the flag is PerformedWork, on a
    // child that differs from the previous one.
    interface Fiber {
      readonly tag: number;
      readonly flags: number;
      readonly child: Fiber | null;
      readonly sibling: Fiber | null;
      readonly alternate: Fiber | null;
    }
    const drawn = { components: 0 };
    const look = (parent: Fiber): void => {
      for (let fiber = parent.child; fiber !== null; fiber = fiber.sibling) {
        // Host elements (5) and texts (6) are not components.
        if (fiber.alternate === null || (fiber.tag !== 5 && fiber.tag !== 6 && (fiber.flags & 1) !== 0))
          drawn.components += 1;
        if (fiber.child !== fiber.alternate?.child) look(fiber);
      }
    };
    const onCommitFiberRoot = (_renderer: number, { current }: { readonly current: Fiber }): void => look(current);
    Object.assign(window, {
      drawn,
      __REACT_DEVTOOLS_GLOBAL_HOOK__: {
        supportsFiber: true,
        inject: () => 1,
        onCommitFiberRoot,
        onCommitFiberUnmount: () => {},
      },
    });
  });
  // Transfers of several kinds, so that other commands are available at each step.
  await inWindow(page, open, '/ui/transfers', {
    fetches: { kinds: ['paused', 'queued', 'done', 'paused', 'queued', 'done'] },
  });
  await page.getByRole('grid', { name: 'Transfers' }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(row(page, /1 /).first()).toHaveAttribute('aria-selected', 'true');
  const drawnAfter = async (key: string, selected: number): Promise<number> => {
    await page.evaluate(() => Object.assign((window as unknown as { drawn: object }).drawn, { components: 0 }));
    await page.keyboard.press(key);
    await expect(page.locator('[role=row][aria-rowindex]').nth(selected)).toHaveAttribute('aria-selected', 'true');
    // Effects of the first rendering, such as commands that are added and removed, are rendered
    // within two frames.
    await page.evaluate(async () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    return page.evaluate(() => (window as unknown as { drawn: { components: number } }).drawn.components);
  };
  // Other updates of the screen can only add to a count, so the smallest of several is the step's.
  const counts: number[][] = [];
  for (let round = 0; round < 4; round += 1)
    counts.push([
      await drawnAfter('ArrowDown', 2),
      await drawnAfter('ArrowDown', 3),
      await drawnAfter('ArrowUp', 2),
      await drawnAfter('ArrowUp', 1),
    ]);
  for (const step of [0, 1, 2, 3]) {
    const smallest = Math.min(...counts.map((round) => round[step] ?? 0));
    expect(smallest).toBeGreaterThan(0);
    expect(smallest).toBeLessThan(16);
  }
});

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
