import { bridgeCalls, expect, giveBridge, jobOf, test } from './screens-fixture.ts';

test.describe('the list', () => {
  test('holds ten thousand rows in a few elements and fetches pages as they come into view', async ({ page, open }) => {
    const service = await open('/ui/measurements', { measurements: 10_000 });
    const grid = page.getByRole('grid', { name: 'Measurements' });
    await expect(grid).toHaveAttribute('aria-rowcount', '10001');
    expect(await page.getByRole('row').count()).toBeLessThan(60);
    const lists = () => service.reads.filter((read) => read.startsWith('measurements?')).length;
    expect(lists()).toBe(1);

    await grid.focus();
    await page.keyboard.press('End');
    await expect(page.getByText('afm-scan-00001')).toBeVisible();
    expect(await page.getByRole('row').count()).toBeLessThan(60);
    // The first page and at most the few around the end: never the hundred between.
    expect(lists()).toBeLessThan(6);

    await page.keyboard.press('Home');
    await expect(page.getByText('qmr-2026-10000')).toBeVisible();
  });

  test('is walked with arrows and letters, opened with Enter, closed with Esc', async ({ page, open }) => {
    await open('/ui/measurements', { measurements: 300 });
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/ui\/measurements\/ms-run-00299$/);
    await expect(page.getByRole('heading', { name: 'ms-run-00299' })).toBeVisible();
    // With the inspector open it follows the cursor.
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('heading', { name: 'pl-film-00298' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('grid')).toBeFocused();
  });

  test('selects with Ctrl and Shift, also across pages nobody has looked at', async ({ page, open }) => {
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

  test('selects all that match, also what was never loaded', async ({ page, open }) => {
    await open('/ui/measurements?search=xrd', { measurements: 1000 });
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+a');
    await expect(page.getByText('200 of 200 selected')).toBeVisible();
  });

  test('shows the title beside the name, in a column of its own where there is room', async ({ page, open }) => {
    await open('/ui/measurements', { measurements: 30 });
    await expect(page.getByRole('columnheader', { name: 'Title' })).toBeVisible();
    await expect(page.getByRole('gridcell', { name: 'Mass spectrum of the blank 29' })).toBeVisible();
    await page.getByText('ms-run-00029').click();
    // With the inspector open there is less room: the count of files goes, the title stays.
    await expect(page.getByRole('columnheader', { name: 'Files' })).toHaveCount(0);
    await expect(page.getByRole('gridcell', { name: 'ms-run-00029', exact: true })).toBeVisible();
    await expect(page.getByRole('gridcell', { name: 'Mass spectrum of the blank 29' })).toBeVisible();
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

  test('no shortcut fires while somebody types', async ({ page, open }) => {
    await open('/ui/measurements/ms-run-00299', { measurements: 300 });
    await page.getByRole('tab', { name: 'Files' }).waitFor();
    await page.getByRole('searchbox').focus();
    for (const key of ['v', '?', 'n', 'Delete', 'Control+k', 'Control+2']) await page.keyboard.press(key);
    await expect(page.getByRole('searchbox')).toHaveValue('v?n');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    await expect(page).toHaveURL(/\/ui\/measurements\/ms-run-00299/);
  });

  test('is read again when the service says that it has changed, and after a gap', async ({ page, open }) => {
    const service = await open('/ui/measurements', { measurements: 3 });
    await expect(page.getByText('service running')).toBeVisible();
    const lists = () => service.reads.filter((read) => read.startsWith('measurements?')).length;
    const before = lists();
    service.emit('changed', { topic: 'measurements' });
    await expect.poll(lists).toBe(before + 1);
    service.dropListeners();
    await expect(page.getByText('service does not answer')).toBeVisible();
    await expect(page.getByText('service running')).toBeVisible({ timeout: 15_000 });
    await expect.poll(lists).toBe(before + 2);
  });

  test('a failure says why, with the request id, and can be tried again', async ({ page, open }) => {
    await open('/ui/measurements', { measurements: 3, failing: 'measurements' });
    const note = page.getByRole('alert');
    await expect(note).toContainText('The database cannot be read');
    await expect(note).toContainText('req-7f3a91c2');
    await expect(note.getByRole('button', { name: 'Try again' })).toBeVisible();
  });
});

test.describe('removing', () => {
  test('asks first, says what happens to the files, and Cancel is the default', async ({ page, open }) => {
    const service = await open('/ui/measurements', { measurements: 30 });
    await page.getByText('ms-run-00029').click();
    await page.keyboard.press('Delete');
    const dialog = page.getByRole('alertdialog', { name: 'Remove ms-run-00029?' });
    await expect(dialog).toContainText('stay where they lie; Benchport only forgets them');
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
    expect(service.writes).toEqual([]);

    await page.getByRole('grid').focus();
    await page.keyboard.press('Delete');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByText('ms-run-00029')).toHaveCount(0);
    await expect(page).toHaveURL(/\/ui\/measurements$/);
    expect(service.writes).toEqual(['DELETE measurements/ms-run-00029 {}']);
  });
});

test.describe('the detail', () => {
  test('shows degraded files first and all of them on request', async ({ page, open }) => {
    await open('/ui/measurements/xrd-powder-00097', { measurements: 100 });
    await expect(page.getByRole('list', { name: 'Files with problems' }).getByRole('listitem')).toHaveCount(5);
    await page.getByRole('button', { name: /^All/ }).click();
    await expect(page.getByRole('list', { name: 'Files', exact: true })).toBeVisible();
    await expect(page.getByText('frame-00010.dat')).toBeVisible();
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
    expect(service.writes.find((write) => write.startsWith('POST measurements/ms-run-00099/grants'))).toContain('"user":"bob"');

    await page.getByRole('button', { name: 'Revoke' }).last().click();
    await page.getByRole('alertdialog', { name: 'Revoke access of bob?' }).getByRole('button', { name: 'Revoke' }).click();
    await expect(page.getByText('user, ends 31 Jan 2030')).toHaveCount(0);
  });

  test('says the whole problem of a file, with numbers that can be read', async ({ page, open }) => {
    await open('/ui/measurements/xrd-powder-00097', { measurements: 100 });
    const text = page.getByText('altered: it has 20 971 524 bytes instead of 20 971 520').first();
    await expect(text).toBeVisible();
    expect(await text.evaluate((element) => element.scrollWidth <= element.clientWidth && element.scrollHeight <= element.clientHeight)).toBe(true);
  });

  test('shows who fetched what, page after page', async ({ page, open }) => {
    await open('/ui/measurements/ms-run-00099', { measurements: 100 });
    await page.getByRole('tab', { name: 'History' }).click();
    await expect(page.getByText('raw/detector 1/frame-00031.dat, bytes 1 048 576 to 2 097 151').first()).toBeVisible();
    await expect(page.getByText('bob · ms-reader · 192.168.4.17').first()).toBeVisible();
    await page.getByRole('button', { name: /Show older/ }).click();
    await expect(page.getByRole('button', { name: 'Show older, 20 more' })).toBeVisible();
  });

  test('says when it does not exist', async ({ page, open }) => {
    await open('/ui/measurements/nothing-here', { measurements: 3 });
    await expect(page.getByRole('alert')).toContainText('There is no measurement "nothing-here"');
  });
});

test.describe('in the window', () => {
  test.beforeEach(({ page }) => giveBridge(page));

  test('a chosen folder is looked at, registered, and its job can be paused and cancelled', async ({ page, open }) => {
    const service = await open('/ui/measurements', { measurements: 3, door: 'window' });
    await page.getByRole('button', { name: 'Register' }).click();
    const dialog = page.getByRole('dialog', { name: 'Register' });
    await expect(dialog).toContainText('/data/instrument/qmr-2026-114');
    await expect(dialog).toContainText('1 204 files, 38.2 GiB');
    await expect(dialog).toContainText('troubles Windows');
    await dialog.getByLabel('Id', { exact: true }).fill('has a space');
    await expect(dialog.getByRole('button', { name: 'Register' })).toBeDisabled();
    await dialog.getByLabel('Id', { exact: true }).fill('ms-run-00002');
    await dialog.getByRole('button', { name: 'Register' }).click();
    await expect(dialog.getByRole('alert')).toContainText('Choose another id.');
    await dialog.getByLabel('Id', { exact: true }).fill('qmr-2026-114');
    await dialog.getByText('Copy them into the library').click();
    await dialog.getByRole('button', { name: 'Register' }).click();
    await expect(dialog).toHaveCount(0);
    expect(service.writes.at(-1)).toBe(
      'POST local/registrations {"path":"/data/instrument/qmr-2026-114","id":"qmr-2026-114","title":"qmr 2026 114","copy":true}',
    );

    const jobs = page.getByRole('region', { name: 'Jobs' });
    await expect(jobs).toContainText('12.1 GiB of 38.2 GiB · 312 MiB/s · 86 s left');
    await expect(page.getByText('1 job', { exact: true })).toBeVisible();
    await jobs.getByRole('button', { name: 'Pause' }).click();
    await expect(jobs).toContainText('paused at 12.1 GiB');
    await jobs.getByRole('button', { name: 'Resume' }).click();
    await jobs.getByRole('button', { name: 'Cancel' }).click();
    await expect(jobs).toHaveCount(0);
  });

  test('what cannot be registered is refused with every reason', async ({ page, open }) => {
    await open('/ui/measurements', { measurements: 3, door: 'window' });
    await page.getByRole('grid').waitFor();
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(['x'], 'broken'));
      window.dispatchEvent(new DragEvent('dragover', { dataTransfer: data, cancelable: true }));
    });
    await expect(page.getByText('Drop to register')).toBeVisible();
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(['x'], 'broken'));
      window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
    });
    const dialog = page.getByRole('dialog', { name: 'Register' });
    await expect(dialog).toContainText('/dropped/broken');
    await expect(dialog).toContainText('raw/link.dat is a link that leads out of the folder');
    await expect(dialog.getByRole('button', { name: 'Register' })).toHaveCount(0);
  });

  test('what is dropped from a web page is refused in words', async ({ page, open }) => {
    await open('/ui/measurements', { measurements: 3, door: 'window' });
    await page.getByRole('grid').waitFor();
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(['x'], 'from-a-page.png'));
      window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
    });
    await expect(page.getByText('What was dropped is not on this machine')).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  test('several dropped paths come one after the other', async ({ page, open }) => {
    await open('/ui/measurements', { measurements: 3, door: 'window' });
    await page.getByRole('grid').waitFor();
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(['x'], 'one'));
      data.items.add(new File(['x'], 'two.zip'));
      window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
    });
    await page.getByRole('dialog', { name: 'Register 1 of 2' }).getByRole('button', { name: 'Register' }).click();
    const second = page.getByRole('dialog', { name: 'Register 2 of 2' });
    await expect(second.getByLabel('Leave them where they lie')).toBeDisabled();
    await second.getByRole('button', { name: 'Skip' }).click();
    await expect(second).toHaveCount(0);
  });

  test('a row is dragged out with the path that the service names', async ({ page, open }) => {
    const service = await open('/ui/measurements', { measurements: 30, door: 'window' });
    const row = page.getByText('ms-run-00029');
    await row.hover();
    await page.mouse.down();
    await page.mouse.move(700, 500, { steps: 8 });
    await expect.poll(() => bridgeCalls(page)).toContainEqual(['startDrag', '/data/instrument/ms-run-00029']);
    await page.mouse.up();
    expect(service.writes).toContain('POST local/measurements/ms-run-00029/stage {}');
  });

  test('a command of the menu does what its shortcut does', async ({ page, open }) => {
    await open('/ui/measurements', { measurements: 3, door: 'window' });
    await page.getByRole('grid').waitFor();
    await page.evaluate(() => (window as unknown as { menu: (command: string) => void }).menu('go-tokens'));
    await expect(page.getByRole('heading', { name: 'Tokens' })).toBeVisible();
  });

  test('exports into a chosen folder', async ({ page, open }) => {
    const service = await open('/ui/measurements/ms-run-00002', { measurements: 3, door: 'window' });
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Export' }).click();
    await page.getByLabel('BagIt').check();
    await page.getByRole('button', { name: 'Choose folder and export' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    expect(service.writes.at(-1)).toBe('POST local/measurements/ms-run-00002/exports {"directory":"/data/export","format":"bagit"}');
  });

  test('the first run makes the owner and offers the sample', async ({ page, open }) => {
    const service = await open('/ui/', { needsSetup: true, door: 'window' });
    await expect(page.getByLabel('User name')).toHaveValue('alice');
    await page.getByLabel('Full name').fill('Alice');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('button', { name: 'Skip the rest' }).click();
    await page.getByRole('button', { name: 'Register the sample measurement' }).click();
    await expect(page.getByRole('region', { name: 'Jobs' })).toContainText('sample-measurement');
    await expect(page).toHaveURL(/\/ui\/measurements$/);
    expect(service.writes).toEqual(['POST setup {"username":"alice","name":"Alice"}', 'POST local/sample {}']);
  });
});

test.describe('in a browser', () => {
  test('registering is not offered, the command line is', async ({ page, open }) => {
    await open('/ui/measurements');
    await expect(page.getByText('benchport measurement register PATH')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Register' })).toHaveCount(0);
  });

  test('whoever is not signed in goes to the sign-in page and comes back', async ({ page, open }) => {
    const service = await open('/ui/tokens', { signedIn: false });
    await page.waitForURL(/\/users\/sign_in\?return_to=%2Fui%2Ftokens/);
    expect(service.reads).toContain('session');
  });

  test('the first run needs the code and a password', async ({ page, open }) => {
    const service = await open('/ui/setup?code=abc', { needsSetup: true });
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByText('A password is needed to sign in from a browser.')).toBeVisible();
    await page.getByLabel('Password').fill('correct horse');
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page).toHaveURL(/\/ui\/measurements/);
    expect(service.writes[0]).toBe('POST setup {"username":"alice","name":"alice","password":"correct horse"}');
  });

  test('appearance can be chosen and is kept', async ({ page, open }) => {
    await open('/ui/measurements', { measurements: 3 });
    await page.getByRole('grid').waitFor();
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox', { name: 'Command or measurement' })).toBeFocused();
    await page.keyboard.type('dark');
    await expect(page.getByRole('option').first()).toContainText('Appearance: dark');
    await page.keyboard.press('Enter');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  });

  test('the palette finds commands and measurements', async ({ page, open }) => {
    await open('/ui/measurements', { measurements: 300 });
    await page.getByRole('grid').waitFor();
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox', { name: 'Command or measurement' })).toBeFocused();
    await page.keyboard.type('ms-run-00299');
    await page.getByRole('option', { name: 'ms-run-00299' }).waitFor();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/ui\/measurements\/ms-run-00299/);
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox', { name: 'Command or measurement' })).toBeFocused();
    await page.keyboard.type('tok');
    await expect(page.getByRole('option').first()).toContainText('Tokens');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Tokens' })).toBeVisible();
  });
});

test.describe('tokens', () => {
  test('the secret is shown once and has to be answered', async ({ page, open }) => {
    const service = await open('/ui/tokens');
    await page.getByText('nightly backup').waitFor();
    await page.keyboard.press('n');
    const form = page.getByRole('dialog', { name: 'Create a token' });
    await form.getByLabel('Name').fill('bench 3');
    await form.getByRole('button', { name: 'Create token' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save token bench 3' });
    await expect(dialog.getByTestId('secret')).toHaveText(/^bppat-/);
    await expect(dialog).toContainText('curl -f -H "Authorization: Bearer $BENCHPORT_TOKEN" http://127.0.0.1:7420/api/v4/measurements');
    await page.keyboard.press('Escape');
    await page.mouse.click(10, 400);
    await expect(dialog).toBeVisible();
    await dialog.getByRole('button', { name: 'I have saved it' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByText('bppat-')).toHaveCount(0);
    await expect(page.getByRole('rowheader', { name: 'bench 3' })).toBeVisible();
    expect(service.writes[0]).toMatch(/"scopes":\["read_measurement"\],"expires_at":"\d{4}-\d{2}-\d{2}"/);
  });

  test('says what expires soon, and revokes after asking', async ({ page, open }) => {
    const service = await open('/ui/tokens');
    await expect(page.getByRole('row', { name: /nightly backup/ })).toContainText('expires soon');
    await page.getByRole('button', { name: 'Revoke ms-reader' }).click();
    await page.getByRole('alertdialog', { name: 'Revoke token ms-reader?' }).getByRole('button', { name: 'Revoke' }).click();
    // While the dialog covers them, the rows cannot be found by their role at all.
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    await expect(page.getByRole('rowheader', { name: /ms-reader/ })).toHaveCount(0);
    expect(service.writes).toEqual(['DELETE personal_access_tokens/1 {}']);
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('list and detail are two pages', async ({ page, open }) => {
    await open('/ui/measurements', { measurements: 100 });
    await page.getByText('ms-run-00099').click();
    await expect(page.getByRole('heading', { name: 'ms-run-00099' })).toBeVisible();
    await expect(page.getByRole('grid')).toHaveCount(0);
    await page.getByRole('button', { name: 'Back to the list' }).click();
    await expect(page.getByRole('grid')).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });

  test('rows are sorted by a menu, and the actions of a measurement stand in one line', async ({ page, open }) => {
    await open('/ui/measurements', { measurements: 100 });
    await page.getByRole('button', { name: 'Sort: Added, newest first' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Size' }).click();
    await expect(page).toHaveURL(/sort=total_bytes&order=desc/);
    await page.getByRole('button', { name: 'Sort: Size, largest first' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Size, largest first' }).click();
    await expect(page).toHaveURL(/sort=total_bytes&order=asc/);
    await page.getByRole('row').first().click();
    const tops = await Promise.all(
      [
        page.getByRole('link', { name: 'Download ZIP' }),
        page.getByRole('button', { name: 'Copy', exact: true }),
        page.getByRole('button', { name: 'Verify' }),
      ].map(async (control) => (await control.boundingBox())?.y),
    );
    expect(new Set(tops).size).toBe(1);
    await page.getByRole('button', { name: 'More actions' }).click();
    await expect(page.getByRole('menuitem', { name: 'Remove' })).toBeVisible();
  });
});

test('in a zoomed window the files of a measurement stay within reach', async ({ page, open }) => {
  await page.setViewportSize({ width: 640, height: 400 });
  await open('/ui/measurements/xrd-powder-00097', { measurements: 100 });
  const last = page.getByText('raw/detector 1/frame-00004.dat');
  await last.scrollIntoViewIfNeeded();
  await expect(last).toBeInViewport();
});

test('under forced colours the selected row and progress are still told apart', async ({ page, open }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  const service = await open('/ui/measurements', { measurements: 3 });
  await expect(page.getByText('service running')).toBeVisible();
  await page.getByText('ms-run-00002').click({ modifiers: ['Control'] });
  const row = page.getByRole('row', { selected: true });
  expect(await row.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid');
  service.emit('job', jobOf(1, {}));
  const bar = page.getByRole('progressbar').locator('div');
  const [fill, track] = await bar.evaluate((element) => [
    getComputedStyle(element).backgroundColor,
    getComputedStyle(element.parentElement ?? element).backgroundColor,
  ]);
  expect(fill).not.toBe(track);
});
