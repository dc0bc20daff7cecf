import { expect, test } from '../screens-fixture.ts';
import { inWindow } from '../in-window.ts';
import { acts, row } from './transfers-page.ts';

test.setTimeout(60_000);

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
