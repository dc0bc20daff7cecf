import { lookAt } from '../look.ts';
import { expect, expectAccessible, test } from '../screens-fixture.ts';

test.describe('the detail', () => {
  test('shows degraded files first and all of them on request', async ({ page, open }) => {
    await open('/ui/measurements/xrd-powder-00097', { measurements: 100 });
    await expect(page.getByRole('list', { name: 'Files with problems' }).getByRole('listitem')).toHaveCount(5);
    await page.getByRole('button', { name: /^All/ }).click();
    const files = page.getByRole('treegrid', { name: 'Files', exact: true });
    await expect(files.getByRole('row', { name: /^raw/ })).toContainText('4 problems');
    for (const folder of ['raw', 'detector 0']) await files.getByRole('button', { name: folder, exact: true }).click();
    await expect(page.getByText('frame-00010.dat')).toBeVisible();
  });

  test('U12: finds files by part of their path, and says how many', async ({ page, open }) => {
    await open('/ui/measurements/ms-run-00099', { measurements: 100 });
    const all = page.getByRole('treegrid', { name: 'Files', exact: true });
    await expect(all).toBeVisible();
    const search = page.getByRole('searchbox', { name: 'Search files' });
    await search.fill('FRAME-0010');
    await expect(page.getByRole('treegrid', { name: 'Files found' }).getByRole('row')).toHaveCount(10);
    await expect(page.getByText('10 files found', { exact: true })).toBeVisible();
    await lookAt(page, 'aside');
    await search.fill('nothing like it');
    await expect(page.getByText('No path contains “nothing like it”.')).toBeVisible();
    await search.fill('');
    await expect(all).toBeVisible();
  });

  test('U12: searches only the files with problems', async ({ page, open }) => {
    await open('/ui/measurements/xrd-powder-00097', { measurements: 100 });
    await page.getByRole('searchbox', { name: 'Search files' }).fill('frame-00001');
    await expect(page.getByRole('list', { name: 'Files with problems' }).getByRole('listitem')).toHaveCount(1);
    await page.getByRole('button', { name: /^All/ }).click();
    await expect(page.getByRole('treegrid', { name: 'Files found' })).toBeVisible();
  });

  test('copies URL, curl line and checksums without a secret', async ({ page, open, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await open('/ui/measurements/afm-scan-00096', { measurements: 100 });
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Copy curl line' }).click();
    await expect(page.getByText('curl line copied')).toBeVisible();
    expect(await copied()).toBe(
      'curl -f -C - -H "Authorization: Bearer $BENCHPORT_TOKEN" -o afm-scan-00096.zip http://127.0.0.1:7420/measurements/afm-scan-00096',
    );
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Copy sha256sum list' }).click();
    await expect(page.getByText('sha256sum list copied')).toBeVisible();
    expect(await copied()).toMatch(/^[0-9a-f]{64} {2}README\.txt\n/);
    await page.getByRole('button', { name: 'Actions for README.txt' }).click();
    await page.getByRole('menuitem', { name: 'Copy URL' }).click();
    await expect(page.getByText('URL copied', { exact: true })).toBeVisible();
    expect(await copied()).toBe('http://127.0.0.1:7420/measurements/afm-scan-00096/files/0');
  });

  test('renames, grants until a day, and revokes', async ({ page, open }) => {
    const service = await open('/ui/measurements/ms-run-00099', { measurements: 100 });
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Title').fill('Blank, second try');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await expect(page.getByRole('complementary').getByText('Blank, second try')).toBeVisible();

    await page.getByRole('tab', { name: 'Access' }).click();
    await page.getByRole('button', { name: 'Grant' }).click();
    await page.getByLabel('User name').fill('bob');
    await page.getByLabel('Until').fill('2030-01-31');
    await page.getByRole('dialog').getByRole('button', { name: 'Grant' }).click();
    await expect(page.getByText('user, ends 31 Jan 2030')).toBeVisible();
    expect(service.writes.find((write) => write.startsWith('POST measurements/ms-run-00099/grants'))).toContain(
      '"user":"bob"',
    );

    await page.getByRole('button', { name: 'Revoke' }).last().click();
    await page
      .getByRole('alertdialog', { name: 'Revoke access of bob?' })
      .getByRole('button', { name: 'Revoke' })
      .click();
    await expect(page.getByText('user, ends 31 Jan 2030')).toHaveCount(0);
  });

  test('a title wider than its place is shortened, with the whole in its tooltip', async ({ page, open }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await open('/ui/measurements/ms-run-00099', { measurements: 100 });
    await expect(page.getByRole('complementary').getByRole('heading', { level: 2 })).toHaveAttribute(
      'title',
      'ms-run-00099',
    );
    const name = page.getByRole('heading', { level: 1 }).getByText('Measurements');
    await expect(name).toHaveAttribute('title', 'Measurements');
    const shortened = await name.evaluate((element) => {
      element.textContent = 'A title that is far too long for what is left of the screen';
      return [element.scrollWidth > element.clientWidth, getComputedStyle(element).textOverflow];
    });
    expect(shortened).toEqual([true, 'ellipsis']);
  });

  test('U12: several grants are selected by the keyboard and revoked with one question', async ({ page, open }) => {
    const service = await open('/ui/measurements/ms-run-00099', { measurements: 100 });
    await page.getByRole('tab', { name: 'Access' }).click();
    const bar = page.getByRole('toolbar', { name: 'With the selected grants' });
    await page.getByRole('checkbox', { name: 'Select bob' }).press('Space');
    await expect(bar).toHaveCount(0);
    await page.getByRole('checkbox', { name: 'Select beamtime/2026-3' }).press('Space');
    await expect(bar).toContainText('2 selected');
    await expectAccessible(page);
    await lookAt(page);
    await bar.getByRole('button', { name: 'Revoke…' }).press('Enter');
    const question = page.getByRole('alertdialog', { name: 'Revoke 2 grants?' });
    await question.getByRole('button', { name: 'Revoke' }).click();
    await expect(page.getByText('2 grants revoked')).toBeVisible();
    await expect(page.getByText('Nobody else may read it.')).toBeVisible();
    await expect(bar).toHaveCount(0);
    expect(service.writes.filter((write) => write.startsWith('DELETE measurements/ms-run-00099/grants/'))).toHaveLength(
      2,
    );
  });

  test('shows the whole problem of a file, with readable numbers', async ({ page, open }) => {
    await open('/ui/measurements/xrd-powder-00097', { measurements: 100 });
    const text = page.getByText('altered: it has 20 971 524 bytes instead of 20 971 520').first();
    await expect(text).toBeVisible();
    expect(
      await text.evaluate(
        (element) => element.scrollWidth <= element.clientWidth && element.scrollHeight <= element.clientHeight,
      ),
    ).toBe(true);
  });

  test('shows the history of downloads, page after page', async ({ page, open }) => {
    await open('/ui/measurements/ms-run-00099', { measurements: 100 });
    await page.getByRole('tab', { name: 'History' }).click();
    const downloads = page.getByRole('region', { name: 'Downloads' });
    await expect(downloads.getByText('20 000 of 20 000 files').first()).toBeVisible();
    await expect(downloads.getByText('incomplete: closed by the client').first()).toBeVisible();
    await expect(downloads.getByText('ms-reader · 192.168.4.17 · curl/8.14.1').first()).toBeVisible();
    await expect(page.getByRole('link', { name: 'Download CSV' })).toHaveAttribute(
      'href',
      '/api/v4/measurements/ms-run-00099/downloads.csv',
    );
    await page.getByRole('button', { name: 'Show older, 70 more' }).click();
    await expect(page.getByRole('button', { name: 'Show older, 20 more' })).toBeVisible();
    await page.getByRole('button', { name: 'Single transfers' }).click();
    await expect(page.getByText('raw/detector 1/frame-00031.dat, bytes 1 048 576 to 2 097 151').first()).toBeVisible();
    await expect(page.getByText('bob · ms-reader · 192.168.4.17').first()).toBeVisible();
    await page.getByRole('button', { name: /Show older/ }).click();
    await expect(page.getByRole('button', { name: 'Show older, 20 more' })).toBeVisible();
  });

  test('says when the measurement does not exist', async ({ page, open }) => {
    await open('/ui/measurements/nothing-here', { measurements: 3 });
    await expect(page.getByRole('alert')).toContainText('There is no measurement "nothing-here"');
  });
});

test('in a zoomed window the files of a measurement can be reached', async ({ page, open }) => {
  await page.setViewportSize({ width: 640, height: 400 });
  await open('/ui/measurements/xrd-powder-00097', { measurements: 100 });
  const last = page.getByText('raw/detector 0/frame-00004.dat');
  await last.scrollIntoViewIfNeeded();
  await expect(last).toBeInViewport();
});
