import { asWindow } from '../../../service/as-window.ts';
import { addMeasurement } from '../../../service/fixture-measurement.ts';
import { startTestService, type TestService } from '../../../service/start.ts';
import { expect, test } from '../signed-in.ts';

test.setTimeout(90_000);

let bench: TestService | null = null;
test.afterEach(async () => {
  await bench?.end();
  bench = null;
});

test('a Benchport that pushes here appears, and is shown as closed when it ends', async ({ page, service }) => {
  await page.goto(`${service.url}/ui/benches`);
  await expect(page.getByText('No bench reports to this server yet.')).toBeVisible();

  const alice = (await service.services.users.byUsername('alice'))?.id ?? 0;
  const token = await service.token(alice, ['write_measurement', 'read_measurement']);
  bench = await startTestService({ lookEveryMs: 100, version: '0.0.0-older' });
  const { servers } = bench.services;
  const added = await servers.create({ name: 'Facility', base_url: service.url, certificate: null, token });
  await addMeasurement(bench, await bench.user('bob', true), 'run-7', [{ path: 'scan.bin', bytes: 'bytes' }]);
  await asWindow(bench, 'POST', '/api/v4/local/copies', { server_id: added?.id ?? 0, measurement_ids: ['run-7'] });
  bench.services.events.emit('changed', { topic: 'servers' });

  const row = page.getByRole('grid', { name: 'Benches' }).locator('tbody').getByRole('row');
  await expect(row).toContainText('Reporting', { timeout: 30_000 });
  await expect(row).toContainText('run-7');
  await expect(row).toContainText('0.0.0-older, older');
  await row.click();
  await expect(page.getByRole('complementary', { name: 'Bench' })).toContainText('Reports as');

  await bench.end();
  bench = null;
  await expect(row).toContainText('Closed', { timeout: 30_000 });
});
