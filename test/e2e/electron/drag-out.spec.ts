import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ElectronApplication, Locator, Page } from '@playwright/test';
import { startXvfb } from '../../../scripts/lib/xvfb.mjs';
import { mustRun } from '../../service/run-program.ts';
import { createAccount, dropPaths, expect, prepareReceiver, start, test } from './launch.ts';

// A real drag with a real pointer, from Benchport's window into another application's, on a private
// display.

/** Presses, moves and releases the pointer of one display. */
function pointerOf(display: string) {
  const xdotool = (...words: (string | number)[]): Promise<string> =>
    mustRun('xdotool', words.map(String), { env: { DISPLAY: display } });
  return {
    async drag(from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
      const steps = 24;
      await xdotool('mousemove', from.x, from.y, 'mousedown', 1);
      try {
        for (let step = 1; step <= steps; step += 1) {
          await pause(80);
          await xdotool(
            'mousemove',
            Math.round(from.x + ((to.x - from.x) * step) / steps),
            Math.round(from.y + ((to.y - from.y) * step) / steps),
          );
        }
        // The target window must have accepted the drag.
        await pause(400);
      } finally {
        await xdotool('mouseup', 1);
      }
    },
  };
}

/**
 * The screen position of an element's middle; the window is at the screen's corner and has no
 * frame.
 */
async function middleOf(locator: Locator): Promise<{ x: number; y: number }> {
  const box = await locator.boundingBox();
  if (!box) throw new Error('It is not visible.');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function register(page: Page, run: string, copy: boolean): Promise<void> {
  await dropPaths(page, [run], 400, 400);
  const dialog = page.getByRole('dialog', { name: 'Register' });
  if (copy) await dialog.getByLabel('Copy them into the library').check();
  await dialog.getByRole('button', { name: 'Register' }).click();
  await expect(
    page
      .getByRole('row')
      .filter({ hasText: path.basename(run) })
      .getByText('available'),
  ).toBeVisible();
}

/** Fetches a measurement of this Benchport itself, as from a server. */
async function fetchFromItself(
  app: ElectronApplication,
  page: Page,
  measurementId: string,
  target: string,
): Promise<void> {
  await app.evaluate(({ dialog }, folder) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [folder] });
  }, target);
  await page.evaluate(
    async (wanted) => {
      const ask = async (
        method: string,
        url: string,
        body?: object,
      ): Promise<{ id: number; token: string; base_url: string }> => {
        const sent =
          body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
        const answer = await fetch(url, { method, ...sent });
        if (!answer.ok) throw new Error(`${url}: ${await answer.text()}`);
        return answer.json() as Promise<{ id: number; token: string; base_url: string }>;
      };
      await (
        window as unknown as { benchport: { chooseFetchFolder(): Promise<string> } }
      ).benchport.chooseFetchFolder();
      const { token } = await ask('POST', '/api/v4/user/personal_access_tokens', {
        name: 'itself',
        scopes: ['read_measurement', 'read_api'],
      });
      const { base_url: baseUrl } = await ask('GET', '/api/v4/service');
      const server = await ask('POST', '/api/v4/local/servers', { name: 'itself', base_url: baseUrl, token });
      await ask('POST', '/api/v4/local/fetches', {
        server_id: server.id,
        measurement_id: wanted.measurementId,
        what: 'files',
        target: wanted.target,
      });
    },
    { measurementId, target },
  );
}

test('files and measurements, also fetched ones, are dragged into another window with their names and contents', async ({
  launch,
}) => {
  test.setTimeout(90_000);
  const xvfb = await startXvfb();
  try {
    const env = { DISPLAY: xvfb.display };
    const { app, page, folder } = await launch({ parts: 'real', env });
    const receiver = await start(prepareReceiver(folder, env));
    try {
      const target = await receiver.firstWindow();
      await app.evaluate(({ BrowserWindow, Menu }) => {
        Menu.setApplicationMenu(null);
        BrowserWindow.getAllWindows()[0]?.setBounds({ x: 0, y: 0, width: 960, height: 900 });
      });
      await createAccount(page);
      for (const [name, copy] of [
        ['by-reference', false],
        ['in-library', true],
      ] as const) {
        const run = path.join(folder, name);
        await fs.mkdir(run);
        await fs.writeFile(path.join(run, 'Größe 2.csv'), 'time,value\n0,2\n');
        await fs.writeFile(path.join(run, 'notes.txt'), 'first light\n');
        await register(page, run, copy);
      }
      const pointer = pointerOf(xvfb.display);
      const dragTo = async (from: Locator): Promise<string> => {
        await target.evaluate(() => {
          const place = document.querySelector('#dropped');
          if (place) place.textContent = '';
        });
        await pointer.drag(await middleOf(from), { x: 1250, y: 250 });
        await expect(target.locator('#dropped')).toHaveText(/^\[".*"\]$/);
        return (JSON.parse(await target.locator('#dropped').innerText()) as string[])[0] ?? '';
      };

      const rowOf = (name: string): Locator => page.getByRole('gridcell', { name, exact: true });
      for (const name of ['by-reference', 'in-library']) {
        await rowOf(name).click();
        const detail = page.getByRole('complementary', { name: `Measurement ${name}` });
        const file = await dragTo(detail.getByRole('treegrid', { name: 'Files' }).getByText('Größe 2.csv'));
        expect(path.basename(file)).toBe('Größe 2.csv');
        expect(await fs.readFile(file, 'utf8')).toBe('time,value\n0,2\n');

        const whole = await dragTo(rowOf(name));
        expect(path.basename(whole)).toBe(name);
        expect((await fs.readdir(whole)).toSorted()).toEqual(['Größe 2.csv', 'notes.txt']);
        expect(await fs.readFile(path.join(whole, 'notes.txt'), 'utf8')).toBe('first light\n');
      }

      // Drags a fetched file and a whole measurement from the list of transfers.
      const got = path.join(folder, 'got');
      await fs.mkdir(got);
      await fetchFromItself(app, page, 'in-library', got);
      await page.getByRole('link', { name: 'Transfers' }).click();
      const fetched = page.getByRole('row', { name: /in-library/ });
      await expect(fetched.getByText('done', { exact: true })).toBeVisible();
      await fetched.click();
      const transfer = page.getByRole('complementary', { name: 'Transfer' });
      await transfer.getByRole('tab', { name: 'Files' }).click();
      expect(await dragTo(transfer.getByText('Größe 2.csv'))).toBe(path.join(got, 'in-library/Größe 2.csv'));
      expect(await dragTo(fetched.getByText('in-library'))).toBe(path.join(got, 'in-library'));
      await expect(page.getByRole('dialog')).toHaveCount(0);
    } finally {
      await receiver.close();
    }
  } finally {
    xvfb.stop();
  }
});
