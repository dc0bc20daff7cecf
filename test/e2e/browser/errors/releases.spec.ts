import { lookAt } from '../look.ts';
import { narrow, trackedProject } from '../projects/projects-world.ts';
import { expect, tabTo, test } from '../signed-in.ts';

// Axe examines every element, in two themes.
test.setTimeout(120_000);

test('releases of build tools are listed with their deploys and source maps, and an empty list says how to announce one', async ({
  page,
  service,
}) => {
  await trackedProject(page, service, 'lab/bench/qmr');
  const alice = await service.services.users.byUsername('alice');
  const token = await service.token(alice?.id ?? 0, ['api']);
  const tell = async (method: string, path: string, body: object): Promise<void> => {
    const answer = await fetch(service.url + path, {
      method,
      headers: { 'private-token': token, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.ok, `${method} ${path}: ${await answer.text()}`).toBe(true);
  };
  await page.goto(`${service.url}/ui/projects/lab%2Fbench%2Fqmr/errors`);
  await tabTo(page, 'Releases of the project');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No release of lab/bench/qmr has been announced.')).toBeVisible();
  await expect(
    page.getByText(`export SENTRY_URL=${service.url} SENTRY_ORG='lab~bench' SENTRY_PROJECT=qmr`),
  ).toBeVisible();
  await lookAt(page);
  await narrow(page);
  await page.setViewportSize({ width: 1280, height: 800 });

  const releases = '/api/0/organizations/lab~bench/releases';
  await tell('POST', releases, { version: 'qmr@1.0.0', projects: ['qmr'], status: 'archived' });
  await tell('POST', releases, {
    version: 'qmr@1.1.0',
    projects: ['qmr'],
    dateReleased: new Date().toISOString(),
    url: 'https://ci.lab.example/7',
  });
  for (let number = 1; number <= 7; number += 1)
    await tell('POST', `${releases}/qmr@1.1.0/deploys`, { environment: `bench-${number}`, url: 'javascript:alert(1)' });
  await tell('POST', '/api/v4/projects/lab%2Fbench%2Fqmr/error_tracking/source_maps?release=qmr@1.1.0&name=app.js', {
    version: 3,
    sources: ['app.ts'],
    names: [],
    mappings: 'AAAA',
  });
  await page.reload();
  await expect(page.getByRole('navigation', { name: 'Screens' }).locator('[aria-current]')).toHaveText([/^Errors/]);
  const rows = page.getByRole('region', { name: 'Releases', exact: true }).getByRole('row');
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(1)).toContainText(/qmr@1\.1\.0 page.*bench-7.*bench-3.*and 2 earlier1$/);
  await expect(rows.nth(1).getByRole('link')).toHaveText(['qmr@1.1.0', 'page']);
  await expect(rows.nth(2)).toContainText(/qmr@1\.0\.0archived.*not yetnone0$/);
  await lookAt(page);
  await narrow(page);
  await page.getByRole('link', { name: 'qmr@1.1.0' }).click();
  await expect(page.getByRole('searchbox', { name: 'Search errors' })).toHaveValue('release:"qmr@1.1.0"');
  await page.goto(`${service.url}/ui/projects/lab%2Fnone/releases`);
  await expect(page.getByText('There is no project “lab/none”, or you are not a member of it.')).toBeVisible();
});
