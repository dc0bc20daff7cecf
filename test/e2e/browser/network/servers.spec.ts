import { lookAt } from '../look.ts';
import { expect, expectAccessible, test } from '../screens-fixture.ts';
import { inWindow } from '../in-window.ts';

test.setTimeout(60_000);

test('the first server: found on the network, added, its certificate compared, its measurements shown', async ({
  page,
  open,
}) => {
  const service = await inWindow(page, open, '/ui/servers', { servers: { servers: false, found: true } });
  await expect(page.getByText('Add the server of a lab once, then fetch its measurements.')).toBeVisible();
  const form = page.getByRole('dialog', { name: 'Add a server' });
  // The certificate's fingerprint must be compared before anything is sent to the server.
  await page.getByRole('button', { name: 'Add Benchport on bench-8' }).click();
  await expect(form).toContainText('9f86 d081 884c');
  await expect(form.getByRole('button', { name: 'Add and test' })).toBeDisabled();
  await form.getByLabel('Sharing on that machine shows the same fingerprint').check();
  await form.getByLabel('Token').fill('bppat-7Yk2mQ9xV4cTz8WfR1nLb6HsJ3pDg5Ae');
  await lookAt(page);
  await form.getByRole('button', { name: 'Add and test' }).click();
  await expect(page.getByRole('heading', { name: '192.168.4.20:7420' })).toBeVisible();
  await page.goto(`${service.url}/ui/servers`);
  await page.getByRole('button', { name: 'Add Benchport on bench-9' }).click();
  await expect(form.getByLabel('Address')).toHaveValue('http://192.168.4.21:7420');
  await expect(form).toContainText('others on the network can read the token');
  await form.getByLabel('Address').fill('ftp://bench-7');
  await expect(form).toContainText('The whole address');
  await expect(form.getByRole('button', { name: 'Add and test' })).toBeDisabled();
  await form.getByLabel('Address').fill('https://192.168.4.17:7420');
  await form.getByLabel('Token').fill('bppat-7Yk2mQ9xV4cTz8WfR1nLb6HsJ3pDg5Ae');
  await form.getByRole('button', { name: 'Add and test' }).click();
  const certificate = page.getByRole('dialog', { name: 'Trust the certificate of 192.168.4.17:7420?' });
  await expect(certificate).toContainText('CN=bench-7');
  await expect(certificate).toContainText('21 November 2027');
  await certificate.getByRole('button', { name: 'They match, trust it' }).click();
  await expect(page.getByRole('heading', { name: '192.168.4.17:7420' })).toBeVisible();
  await expect(page.getByRole('grid', { name: 'Measurements of 192.168.4.17:7420' })).toBeVisible();
  expect(service.writes.map((write) => write.split(' ').slice(0, 2).join(' '))).toEqual([
    'POST local/servers',
    'POST local/servers',
    'POST local/servers/certificate',
    'PATCH local/servers/21',
    'POST local/servers/21/test',
  ]);
});

test('a server that refuses the token is not added: the form stays with its input and the reason', async ({
  page,
  open,
}) => {
  const service = await inWindow(page, open, '/ui/servers', { servers: { servers: false } });
  await page.getByRole('button', { name: 'Add server' }).first().click();
  const form = page.getByRole('dialog', { name: 'Add a server' });
  await form.getByLabel('Address').fill('https://bench-12.lab.example');
  await form.getByLabel('Token').fill('wrong-1234567890');
  await form.getByRole('button', { name: 'Add and test' }).click();
  await expect(form.getByRole('alert')).toContainText('The token is unknown to https://bench-12.lab.example.');
  await expect(form.getByLabel('Address')).toHaveValue('https://bench-12.lab.example');
  await expect(form.getByLabel('Token')).toHaveValue('wrong-1234567890');
  await expectAccessible(page, { within: '[role="dialog"]' });
  // A server that is only unreachable can be kept.
  await form.getByRole('button', { name: 'Add it anyway' }).click();
  await expect(page.getByRole('row', { name: /bench-12/ })).toContainText('token refused');
  // Another token is tried before its dialog closes, too.
  await page.getByRole('button', { name: 'New token' }).click();
  const renewed = page.getByRole('dialog', { name: 'New token for bench-12.lab.example' });
  await renewed.getByLabel('Token').fill('wrong-0987654321');
  await renewed.getByRole('button', { name: 'Save and continue' }).click();
  await expect(renewed.getByRole('alert')).toContainText('The token is unknown');
  await renewed.getByLabel('Token').fill('bppat-1234567890');
  await renewed.getByRole('button', { name: 'Save and continue' }).click();
  await expect(renewed).toHaveCount(0);
  await expect(page.getByRole('row', { name: /bench-12/ })).toContainText('ready');
  expect(service.writes.filter((write) => write.startsWith('DELETE'))).toHaveLength(0);
});

test('a link fills in the form and does nothing more', async ({ page, open }) => {
  const service = await inWindow(page, open, '/ui/servers?add=https://bench-9.lab.example');
  await expect(page.getByRole('dialog', { name: 'Add a server' }).getByLabel('Address')).toHaveValue(
    'https://bench-9.lab.example',
  );
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL(/\/ui\/servers$/);
  expect(service.writes).toEqual([]);
  await page.goto(`${service.url}/ui/servers?add=javascript:alert(1)`);
  await expect(page.getByRole('grid', { name: 'Servers' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('each problem has an exact text and a remedy; edit, limits, test, remove by keyboard', async ({ page, open }) => {
  const service = await inWindow(page, open, '/ui/servers');
  await expect(page.getByRole('row', { name: /bench-5/ })).toContainText('The token expired on 3 March');
  await page.getByRole('button', { name: 'New token' }).click();
  await page.getByRole('dialog', { name: 'New token for bench-5' }).getByLabel('Token').fill('bppat-1234567890');
  await page.getByRole('button', { name: 'Save and continue' }).click();
  await expect(page.getByRole('row', { name: /bench-5/ })).toContainText('ready');

  await page.getByRole('row', { name: /Instrument hall/ }).focus();
  await page.keyboard.press('t');
  await expect(page.getByText('Instrument hall is ready')).toBeVisible();
  await page.keyboard.press('e');
  const form = page.getByRole('dialog', { name: 'Edit Instrument hall' });
  await form.getByLabel('Speed limit, MiB/s').fill('2');
  await form.getByLabel('Connections of one transfer').fill('17');
  await expect(form.getByRole('button', { name: 'Save and test' })).toBeDisabled();
  await form.getByLabel('Connections of one transfer').fill('2');
  // A token is never sent to another address.
  await form.getByLabel('Address').fill('https://elsewhere.example');
  await expect(form).toContainText('The stored token belongs to the old address');
  await expect(form.getByRole('button', { name: 'Save and test' })).toBeDisabled();
  await form.getByLabel('Address').fill('https://instruments.example/data');
  await form.getByRole('button', { name: 'Save and test' }).click();
  await expect(form).toHaveCount(0);
  expect(service.writes).toContain('PATCH local/servers/2 {"speed_limit":2097152,"connections":2}');
  await page.getByRole('row', { name: /old-archive/ }).focus();
  await page.keyboard.press('Delete');
  const dialog = page.getByRole('alertdialog', { name: 'Remove old-archive?' });
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('row', { name: /old-archive/ })).toHaveCount(0);
  // The list behind the dialog is hidden before the request is answered.
  await expect.poll(() => service.writes.some((write) => write.startsWith('DELETE local/servers/5'))).toBe(true);
});

test('has no accessibility violations: list, form, measurements, fetch dialog', async ({ page, open }) => {
  const service = await inWindow(page, open, '/ui/servers', { servers: { found: true } });
  await expect(page.getByRole('row', { name: /bench-5/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add Benchport on bench-9' })).toBeVisible();
  await lookAt(page);
  await page.getByRole('button', { name: 'Show details' }).click();
  await expect(page.getByText('CN=bench-7')).toBeVisible();
  await expectAccessible(page, { within: '[role="dialog"]' });
  await page.goto(`${service.url}/ui/servers/1`);
  await page.getByText('qmr-2026-00029', { exact: true }).click();
  await lookAt(page);
  await page.keyboard.press('f');
  await page.getByLabel('Some files').check();
  await expect(page.getByRole('checkbox', { name: /frame-00002/ })).toBeVisible();
  await expectAccessible(page, { within: '[role="dialog"]' });
});

test('at 360 px nothing is cut off', async ({ page, open }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const service = await inWindow(page, open, '/ui/servers', { servers: { found: true } });
  const within = () =>
    page.evaluate(
      () =>
        document.documentElement.scrollWidth <= 360 &&
        (document.querySelector('main')?.getBoundingClientRect().right ?? 999) <= 360,
    );
  await expect(page.getByRole('row', { name: /bench-5/ })).toBeVisible();
  expect(await within()).toBe(true);
  await expectAccessible(page);
  await page.goto(`${service.url}/ui/servers/1`);
  await expect(page.getByRole('row').first()).toBeVisible();
  expect(await within()).toBe(true);
});
