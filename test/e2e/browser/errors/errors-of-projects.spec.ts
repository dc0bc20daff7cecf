import { lookAt } from '../look.ts';
import { expect, expectAccessible, test } from '../screens-fixture.ts';

const list = '/ui/projects/beamtime%2F2026-3/errors';

test.setTimeout(120_000);

test('all projects are one list: found in the menu, resolved together, opened in their project', async ({
  page,
  open,
}) => {
  const service = await open(list, { tracking: { errors: 12 } });
  await page.getByRole('button', { name: /^Project:/ }).click();
  await page.getByRole('menuitemcheckbox', { name: 'All projects' }).click();
  await expect(page).toHaveURL(/\/ui\/errors\/all$/);
  const rows = page.getByRole('grid', { name: 'Errors' }).getByRole('row');
  await expect(rows.nth(1)).toContainText('beamtime/2026-3');
  await expect(rows.nth(2)).toContainText('lab/qmr');
  await page.getByRole('grid').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await page
    .getByRole('toolbar', { name: 'With the selected errors' })
    .getByRole('button', { name: 'Resolve' })
    .click();
  await expect(page.getByText('2 errors are resolved')).toBeVisible();
  expect(
    service.writes.filter((write) => write.startsWith('PUT projects/')).map((write) => write.split(' ')[1]),
  ).toEqual(['projects/1/errors', 'projects/2/errors']);
  await rows.nth(1).click();
  await expect(page).toHaveURL(/\/ui\/projects\/.*\/errors\/\d+$/);
  await page.goto(`${service.url}/ui/errors`);
  await expect(page.getByRole('heading', { name: 'Errors' })).toBeVisible();
});

test('the chart has three periods, and it and the note about refused events stay collapsed', async ({ page, open }) => {
  await open(list, { tracking: { errors: 12, dropped: true } });
  await expect(page.getByRole('img', { name: /^Last 24 hours: .* events, most/ }).first()).toBeVisible();
  await page.getByRole('button', { name: '14 d' }).click();
  await expect(page.getByRole('img', { name: /^Last 14 days/ })).toBeVisible();
  await page.getByRole('button', { name: '90 d' }).click();
  await expect(page.getByRole('img', { name: /^Last 90 days/ })).toBeVisible();
  await expect(page.getByText('this project takes 50 a second (1 200)')).toBeVisible();
  await page.getByRole('button', { name: 'Hide the chart' }).click();
  await page.getByRole('button', { name: 'Events received' }).click();
  await page.reload();
  await expect(page.getByRole('button', { name: '1 204 refused' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Events received' })).toHaveAttribute('aria-expanded', 'false');
  await expect(page.getByRole('img', { name: /^Last 90 days/ })).toHaveCount(0);
});

test('groups are separated', async ({ page, open }) => {
  const service = await open(`${list}/1`, { tracking: { errors: 5 } });
  await page.getByRole('tab', { name: 'Overview' }).click();
  await page.getByLabel('94').check();
  await page.getByRole('button', { name: 'Separate' }).click();
  await expect.poll(() => service.writes).toContain('POST projects/1/errors/1/unmerge {"groups":["94"]}');
});

test('the entry leads to the last visited project; without projects it says so', async ({ page, open }) => {
  const service = await open('/ui/projects/lab%2Fqmr/errors', { tracking: { errors: 1 } });
  await expect(page.getByRole('button', { name: 'Project: lab/qmr' })).toBeVisible();
  await page.goto(`${service.url}/ui/errors`);
  await expect(page).toHaveURL(/lab%2Fqmr\/errors$/);
  await expect(page.getByRole('link', { name: 'Errors' })).toHaveAttribute('aria-current', 'page');
  await open('/ui/errors', { tracking: { projects: false } });
  await expect(page.getByText('You are not a member of any project yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Create project' }).click();
  await expect(page.getByRole('dialog', { name: 'Create a project' })).toBeVisible();
});

test('has no accessibility violations: list, selection, help, every tab, empty list, failure', async ({
  page,
  open,
}) => {
  const service = await open(list, { tracking: { errors: 30, dropped: true } });
  await expect(page.getByText('1 204 events were refused in the last 24 hours')).toBeVisible();
  await lookAt(page);
  await page.getByRole('button', { name: 'How to search errors' }).click();
  await lookAt(page, '[role="dialog"]');
  await page.keyboard.press('Escape');
  await page.getByRole('grid').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await lookAt(page, '[role="toolbar"]');
  await page.goto(`${service.url}${list}/1?wide=true`);
  await page.getByText('4 local variables').click();
  await lookAt(page);
  // A narrow screen has stack and breadcrumbs below each other, and the overview beside them.
  await expect(page.getByRole('group', { name: 'Overview' })).toContainText('Last 14 days');
  await expect(page.getByRole('tabpanel', { name: 'Stack' })).toContainText('Breadcrumbs');
  const look = async (tabs: readonly RegExp[]): Promise<void> => {
    for (const tab of tabs) {
      await page.getByRole('tab', { name: tab }).click();
      await expect(page.getByRole('tabpanel', { name: tab })).toBeVisible();
      await lookAt(page, '[role="tabpanel"]');
    }
  };
  await look([/Event/, /Raw/]);
  await page.goto(`${service.url}${list}/1`);
  await look([/Breadcrumbs/, /Overview/]);
  await page.goto(`${service.url}${list}?query=is:wrong`);
  await expect(page.getByText('After "is:" comes')).toBeVisible();
  await lookAt(page);
  await open(list);
  await expect(page.getByText('No unresolved errors.')).toBeVisible();
  await lookAt(page);
});

test('at 360 px nothing is cut off: list and error as two pages', async ({ page, open }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open(list, { tracking: { errors: 30 } });
  await expect(page.getByRole('grid')).toBeVisible();
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  const within = async () => (await page.locator('main').evaluate((main) => main.getBoundingClientRect().right)) <= 360;
  expect(await within()).toBe(true);
  await expectAccessible(page);
  await page.getByRole('row').first().click();
  await expect(page.getByText('Event 3 of 3')).toBeVisible();
  expect(await overflow()).toBe(0);
  expect(await within()).toBe(true);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Back to the list' }).click();
  await expect(page.getByRole('grid')).toBeVisible();
});
