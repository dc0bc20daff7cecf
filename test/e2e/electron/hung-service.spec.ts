import { readFileSync } from 'node:fs';
import { createAccount, expect, test } from './launch.ts';
import { shoot } from '../shoot.ts';

// The window's service is stopped like a suspended process or one with a dead disk: it exists but
// does not respond.

/** The descendants of a process. */
function childrenOf(pid: number): number[] {
  let children: number[] = [];
  try {
    children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    // The process has ended meanwhile.
  }
  return children.flatMap((child) => [child, ...childrenOf(child)]);
}

function serviceOf(pid: number): number {
  const service = childrenOf(pid).find((child) =>
    readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('service/service.js'),
  );
  if (service === undefined) throw new Error('the window has no service');
  return service;
}

test.skip(process.platform !== 'linux', 'the service is found by /proc');

test('U1: a hanging service of the window is reported, placeholder rows are shown, and the screens recover', async ({
  launch,
}) => {
  const { app, page } = await launch({ parts: 'real' });
  await createAccount(page);
  const bar = page.getByRole('contentinfo');
  await expect(bar.getByText('service running')).toBeVisible();
  const pid = serviceOf(app.process().pid ?? 0);
  process.kill(pid, 'SIGSTOP');
  try {
    await page.getByRole('link', { name: 'Users' }).click();
    await expect(page.getByText('Loading', { exact: true })).toBeVisible();
    await expect(bar.getByText('service not answering')).toBeVisible();
    await expect(bar.getByText('service running')).toBeHidden();
    await expect(page.getByText('The Benchport service does not answer.')).toBeVisible();
    await shoot(page, 'window-hung-users');
    // The screens that were not loaded before say so too, and the window stays usable.
    await page.getByRole('link', { name: 'Transfers' }).click();
    await expect(page.getByText('Loading', { exact: true })).toBeVisible();
    await shoot(page, 'window-hung-transfers');
    // Longer than the timeout of the event stream.
    await expect(
      page.getByText(/The service has not answered for \d+ s|Waiting for the Benchport service/),
    ).toBeVisible({ timeout: 40_000 });
    await expect(bar.getByText('service running')).toBeHidden();
    await shoot(page, 'window-hung-given-up');
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await expect(bar.getByText('service running')).toBeVisible();
  await expect(page.getByText('The Benchport service does not answer.')).toBeHidden();
  await expect(page.getByText('Waiting for the Benchport service')).toBeHidden();
  await page.getByRole('link', { name: 'Users' }).click();
  await expect(page.getByRole('row', { name: /alice/ })).toBeVisible();
  // The service was not restarted.
  expect(serviceOf(app.process().pid ?? 0)).toBe(pid);
});
