import { expect, test, expectAccessible } from '../screens-fixture.ts';

const bell = /^What happened/;

test('the bell counts what is new, and leads to it', async ({ page, open }) => {
  const service = await open('/ui/tokens', { happenings: { count: 3 } });
  await expect(page.getByRole('button', { name: 'What happened 3 new' })).toBeVisible();
  await page.getByRole('button', { name: bell }).click();
  const panel = page.getByRole('dialog', { name: 'What happened' });
  await expect(panel.getByRole('listitem')).toHaveCount(3);
  await expect(panel.getByRole('listitem').first()).toContainText('New: Degraded');
  await panel.getByRole('link', { name: /New error/ }).click();
  await expect(page).toHaveURL(/\/ui\/projects\/lab%2Fqmr\/errors\/1$/);
  await expect(panel).toBeHidden();
  expect(service.writes).not.toContainEqual(expect.stringContaining('"until"'));
});

test('by keyboard: it opens, everything is marked as seen, and Escape returns to the bell', async ({ page, open }) => {
  const service = await open('/ui/tokens', { happenings: { count: 120 } });
  await expect(page.getByRole('button', { name: 'What happened 99+ new' })).toBeVisible();
  await page.getByRole('button', { name: bell }).focus();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('dialog', { name: 'What happened' });
  await expect(panel.getByText('Older ones are not shown.')).toBeAttached();
  await panel.getByRole('button', { name: 'Mark all as seen' }).press('Enter');
  await expect(panel.getByRole('button', { name: 'Mark all as seen' })).toHaveCount(0);
  expect(service.writes).toContain('POST user/happenings/seen {"until":120}');
  await expect(panel.getByText('New: ')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(page.getByRole('button', { name: 'What happened', exact: true })).toBeFocused();
});

test('its command opens it, also where nothing has happened', async ({ page, open }) => {
  await open('/ui/tokens');
  await expect(page.getByRole('button', { name: 'What happened', exact: true })).toBeVisible();
  await page.keyboard.press('Control+Shift+B');
  const panel = page.getByRole('dialog', { name: 'What happened' });
  await expect(panel.getByText('Nothing has happened in the last thirty days.')).toBeVisible();
});

test('errors count until one looks at them', async ({ page, open }) => {
  const service = await open('/ui/tokens', { tracking: { errors: 5 }, happenings: { count: 2 } });
  await expect(page.getByRole('link', { name: 'Errors 1 new' })).toBeVisible();
  await page.getByRole('link', { name: /^Errors/ }).click();
  await expect(page.getByRole('link', { name: 'Errors', exact: true })).toBeVisible();
  expect(service.writes).toContain('POST user/happenings/seen {"errors_until":2}');
  // What happened is still new.
  await expect(page.getByRole('button', { name: 'What happened 2 new' })).toBeVisible();
});

test('twelve tabs agree, and a burst is read a few times', async ({ page, open, context }) => {
  const service = await open('/ui/tokens', { happenings: { count: 1 } });
  const tabs = [page];
  for (let at = 1; at < 12; at += 1) {
    const tab = await context.newPage();
    await tab.goto(`${service.url}/ui/tokens`);
    tabs.push(tab);
  }
  for (const tab of tabs) await expect(tab.getByRole('button', { name: 'What happened 1 new' })).toBeVisible();
  const before = service.reads.filter((read) => read.startsWith('user/happenings')).length;
  for (let at = 0; at < 10_000; at += 1)
    service.happen({ kind: 'degraded', subject: `measurement:m-${at}`, title: 'm', measurement_id: `m-${at}` });
  for (const tab of tabs) await expect(tab.getByRole('button', { name: 'What happened 99+ new' })).toBeVisible();
  const reads = service.reads.filter((read) => read.startsWith('user/happenings')).length - before;
  expect(reads).toBeLessThan(12 * 20);
  await page.getByRole('button', { name: bell }).click();
  await page.getByRole('button', { name: 'Mark all as seen' }).click();
  for (const tab of tabs) await expect(tab.getByRole('button', { name: bell })).toHaveText('What happened');
});

for (const count of [0, 9, 120])
  test(`the list of ${count} is accessible, wide and narrow`, async ({ page, open }) => {
    await open('/ui/tokens', { happenings: { count } });
    for (const width of [1280, 420]) {
      await page.setViewportSize({ width, height: 800 });
      await page.getByRole('button', { name: bell }).click();
      await expect(page.getByRole('dialog', { name: 'What happened' })).toBeVisible();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog', { name: 'What happened' })).toBeHidden();
    }
  });
