import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import os from 'node:os';
import { addMeasurement, openBeside } from '../../../service/fixture-measurement.ts';
import { lan, lanWorld, otherLan, type LanWorld } from '../../../service/network/lan-world.ts';
import { freePort } from '../../../free-port.ts';
import { RawClient } from '../../../service/raw-client.ts';
import { zeros } from '../../../service/zeros.ts';
import { lookAt } from '../look.ts';
import { expect, test as base } from '../screens-fixture.ts';
import { openWindowProxy } from './window-proxy.ts';

// Axe examines every element, in two themes.
base.setTimeout(90_000);

const big = 32 * 1024 * 1024;

/** A real service, reached over its private socket, whose owner alice has no password yet. */
const test = base.extend<{
  world: LanWorld & { readonly proxyUrl: string; download(url: string): Promise<RawClient> };
}>({
  world: async ({ context }, use) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const world = await lanWorld({ sharing: { checkEveryMs: 100 } });
    const { service, ownerId } = world;
    await addMeasurement(service, ownerId, 'qmr-2026-114', [
      await zeros(service, 'qmr-2026-114', 'raw/frame-00001.dat', big),
    ]);
    const bob = await service.user('bob');
    await service.services.grants.grant('qmr-2026-114', { userId: bob }, null, ownerId);
    const token = await service.token(bob, ['read_measurement']);
    const clients: RawClient[] = [];
    const proxy = await openWindowProxy(service);
    await use(
      Object.assign(world, {
        proxyUrl: proxy.url,
        // The client reads a little and then stops.
        download: async (url: string) => {
          const client = await RawClient.open(url);
          clients.push(client);
          client.get('/measurements/qmr-2026-114/files/0', `Authorization: Bearer ${token}`, 'User-Agent: curl/8.14.1');
          await client.until(1000);
          client.pause();
          return client;
        },
      }),
    );
    clients.forEach(({ socket }) => socket.destroy());
    await proxy.close();
    await service.end();
  },
});

test('sharing needs a password, then it is one switch; other machines get an address, which copied links use', async ({
  page,
  world,
}) => {
  await world.share({ port: await freePort(lan.address) });
  const database = openBeside(world.service);
  database.prepare('UPDATE users SET password_hash = NULL WHERE id = ?').run(world.ownerId);
  database.close();

  await page.goto(`${world.proxyUrl}/ui/measurements`);
  await page.getByRole('grid').waitFor();
  await page.keyboard.press('Control+5');
  await expect(page.getByRole('heading', { name: 'Sharing' })).toBeVisible();
  await expect(page.getByRole('switch')).toHaveCount(0);
  await page.getByRole('button', { name: 'Set a password' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('New password', { exact: true }).fill('first light at 4 kelvin');
  await dialog.getByRole('button', { name: /Set|Change/ }).click();

  const share = page.getByRole('switch', { name: 'Share on the local network' });
  await expect(share).not.toBeChecked();
  await share.click();
  await expect(share).toBeChecked();
  const { url } = await world.state();
  const section = page.getByRole('region', { name: 'On the local network' });
  await expect(section).toContainText(url ?? 'no address');
  await expect(section.getByRole('img', { name: `QR code of ${url}` })).toBeVisible();
  const { certificate_sha256: sha256 } = await world.state();
  expect(url).toMatch(/^https:/);
  await expect(section).toContainText((sha256?.match(/.{4}/g) ?? ['no certificate']).join(' '));
  await section.getByRole('button', { name: 'Copy the fingerprint' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(sha256);
  await expect(section).not.toContainText('Data sent over http');
  const saved = page.waitForEvent('download');
  await section.getByRole('link', { name: 'the certificate' }).click();
  expect((await saved).suggestedFilename()).toBe('benchport.pem');
  await page.getByRole('button', { name: 'Test the address' }).click();
  await expect(section).toContainText('This service answers');
  await expect(page.getByRole('contentinfo')).toContainText('shared');
  await lookAt(page);

  await page.goto(`${world.proxyUrl}/ui/measurements/qmr-2026-114`);
  await page.getByText('frame-00001.dat').waitFor();
  await page.keyboard.press('c');
  await expect(page.getByText('curl line copied')).toBeVisible();
  const line = await page.evaluate(() => navigator.clipboard.readText());
  expect(line).toContain(`${url}/measurements/qmr-2026-114`);
  // The command works as it is, and reaches this machine's listener without access: curl -f exits
  // with 22 for 401.
  expect(await exitOf(line, { BENCHPORT_TOKEN: 'none' })).toBe(22);
  await page.goto(`${world.proxyUrl}/ui/sharing`);
  await page.getByLabel('Encrypt network traffic (https)').click();
  await expect(section).toContainText('Data sent over http can be read in transit.');
  await expect(section).toContainText((url ?? '').replace('https:', 'http:'));
  await share.click();
  await expect(share).not.toBeChecked();
  await expect(section).not.toContainText(url ?? '');
});

test('obstacles are shown with their remedy', async ({ page, world }) => {
  const port = await freePort(lan.address);
  const other = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => other.listen(port, lan.address, resolve));
  await world.share({ on: true, port, announce: false, tls: false });
  await page.goto(`${world.proxyUrl}/ui/sharing`);
  const alert = page.getByRole('alert');
  await expect(alert).toContainText(`Port ${port} on ${lan.address} is in use`);
  await alert.getByRole('button', { name: /Use port/ }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect.poll(async () => (await world.state()).on).toBe(true);
  await new Promise((resolve) => other.close(resolve));

  world.addresses = [otherLan];
  await page.getByLabel('Address', { exact: true }).selectOption(otherLan.address);
  await expect(page.getByRole('region', { name: 'On the local network' })).toContainText(`http://${otherLan.address}:`);
  world.addresses = [lan];
  await expect(page.getByRole('alert')).toContainText(`does not have the address ${otherLan.address}`);
  await expect(page.getByLabel('Address', { exact: true })).toContainText('not available now');
  world.addresses = [lan, otherLan];
  await expect(page.getByRole('alert')).toHaveCount(0);
  const next = await freePort(otherLan.address);
  await page.getByLabel('Port', { exact: true }).fill('0');
  await expect(page.getByText('A number from 1 to 65535.')).toBeVisible();
  await page.getByLabel('Port', { exact: true }).fill(String(next));
  await page.getByRole('button', { name: 'Use this port' }).click();
  await expect.poll(async () => (await world.state()).url).toBe(`http://${otherLan.address}:${next}`);
});

test('downloads by others are shown, ended, and recorded', async ({ page, world }) => {
  const url = await world.shared();
  const first = await world.download(url);
  await world.download(url);
  await page.goto(`${world.proxyUrl}/ui/sharing`);
  const now = page.getByRole('table', { name: 'Active transfers' });
  await expect(now.getByRole('row')).toHaveCount(3);
  await expect(now).toContainText('raw/frame-00001.dat');
  await expect(now).toContainText('bob');
  await expect(now).toContainText(lan.address.replace('.2', '.1'));
  await expect(now).toContainText('of 32.0 MiB');
  await page.setViewportSize({ width: 360, height: 740 });
  await lookAt(page);
  await page.setViewportSize({ width: 1280, height: 720 });
  await now.getByRole('button', { name: 'End raw/frame-00001.dat to bob' }).first().click();
  const asks = page.getByRole('alertdialog', { name: 'End the transfer to bob?' });
  await expect(asks.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await asks.getByRole('button', { name: 'End' }).click();
  await expect(now.getByRole('row')).toHaveCount(2);
  await first.drain();

  // The switch asks during a transfer.
  await page.getByRole('switch').click();
  await page.getByRole('alertdialog', { name: 'Stop sharing?' }).getByRole('button', { name: 'Stop sharing' }).click();
  await expect(page.getByText('Nobody is fetching anything.')).toBeVisible();

  await page.getByRole('tab', { name: 'History' }).click();
  const downloads = page.getByRole('region', { name: 'Downloads' });
  await expect(downloads.getByText('incomplete: ended by an administrator').first()).toBeVisible();
  await lookAt(page);
  await page.getByLabel('Outcome').selectOption('List only');
  await expect(page.getByText('No download matches the filters.')).toBeVisible();
  await page.getByRole('button', { name: 'Single transfers' }).click();
  const before = page.getByRole('region', { name: 'Past transfers' });
  await expect(before.getByRole('row')).toHaveCount(3);
  await expect(before).toContainText('ended by an administrator');
  await lookAt(page);
  await page.keyboard.press('Control+f');
  await page.keyboard.type('127.0.0.1');
  await expect(page).toHaveURL(/tab=before&view=transfers&search=/);
  await expect(before.getByRole('row')).toHaveCount(3);
  await page.getByLabel('Search past transfers').fill('somebody else');
  await expect(page.getByText('No past transfer matches “somebody else”.')).toBeVisible();
});

test('in a browser administrators see downloads by others, and where sharing is switched', async ({ page, world }) => {
  const { service, ownerId } = world;
  const cookie = await service.services.sessions.begin(ownerId, '127.0.0.1', 'test');
  await page.context().addCookies([{ name: 'benchport_session', value: cookie, url: service.url }]);
  await page.goto(`${service.url}/ui/sharing`);
  await expect(page.getByText('Only the machine itself can reach this service.')).toBeVisible();
  await expect(page.getByRole('switch')).toHaveCount(0);
  await expect(page.getByText('Nobody is fetching anything.')).toBeVisible();
});

/** Runs a copied command in an empty folder. */
function exitOf(line: string, environment: Record<string, string>): Promise<number | string | undefined | null> {
  return new Promise((resolve) => {
    execFile('sh', ['-c', line], { cwd: os.tmpdir(), env: { ...process.env, ...environment } }, (error) =>
      resolve(error ? error.code : 0),
    );
  });
}
