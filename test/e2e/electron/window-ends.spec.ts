import { once } from 'node:events';
import fs from 'node:fs/promises';
import { expect, quit, test, type Launched } from './launch.ts';
import { answer, noteOutside } from './outside.ts';
import { isRunning, servicePid } from './service-process.ts';

/** The descendants of this process. */
async function descendants(pid: number): Promise<number[]> {
  const text = await fs.readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const children = text.split(' ').filter(Boolean).map(Number);
  return [...children, ...(await Promise.all(children.map(descendants))).flat()];
}

/** Ends an application in one of the possible ways, and checks for leftovers. */
async function expectCleanEnd({ app, page, folder }: Launched, end: () => Promise<unknown>): Promise<void> {
  const main = app.process();
  const pid = await servicePid(page);
  const family = [main.pid ?? 0, ...(await descendants(main.pid ?? 0))];
  expect(family).toContain(pid);
  const exited = main.exitCode === null ? once(main, 'exit') : Promise.resolve([main.exitCode]);
  await end();
  expect(await exited).toEqual([0, null]);
  await expect.poll(async () => (await Promise.all(family.map(isRunning))).filter(Boolean)).toEqual([]);
  expect((await fs.readdir(folder)).filter((name) => name.startsWith('benchport-'))).toEqual([]);
}

test('quitting leaves no process and no socket behind', async ({ launch }) => {
  const launched = await launch({ parts: 'stub' });
  await expectCleanEnd(launched, () => quit(launched.app));
});

test('closing the window quits in the same way', async ({ launch }) => {
  const launched = await launch({ parts: 'stub' });
  await expectCleanEnd(launched, () =>
    launched.app.evaluate(({ BrowserWindow }) => void setTimeout(() => BrowserWindow.getAllWindows()[0]?.close(), 20)),
  );
});

test('SIGTERM quits in the same way', async ({ launch }) => {
  const launched = await launch({ parts: 'stub' });
  await expectCleanEnd(launched, async () => process.kill(launched.app.process().pid ?? 0, 'SIGTERM'));
});

test('a crashed page is reloaded at its screen; repeated crashes lead to a question, and the service keeps running', async ({
  launch,
}) => {
  const { app, page } = await launch({ parts: 'stub' });
  const service = await servicePid(page);
  await page.goto('app://local/ui/measurements/m1');
  const notes = await noteOutside(app);
  const pageProcess = () =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId() ?? 0);
  // Playwright's page ends with the process, and a page that is about to end never responds.
  const shown = () =>
    app.evaluate(async ({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      if (contents === undefined || contents.isCrashed() || contents.isLoading()) return 'nothing yet';
      return `${contents.getURL()} ${String(await contents.executeJavaScript('document.querySelector("#state").textContent'))}`;
    });
  for (const { what, again } of [
    { what: 'killed', again: 'measurements/m1' },
    { what: 'crashed', again: 'measurements/m1' },
    { what: 'crashed', again: '' },
  ]) {
    const pid = await pageProcess();
    await answer(app, 1);
    if (what === 'killed') process.kill(pid, 'SIGKILL');
    else
      await app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
      );
    await expect.poll(pageProcess).not.toBe(pid);
    await expect.poll(shown).toBe(`app://local/ui/${again} ready ${service}`);
  }
  expect((await notes())['asked']).toEqual([
    ['The window has failed several times in a row', ['Quit', 'Reopen the window'], 1, 1],
  ]);
});

test('a killed application takes its service with it', async ({ launch }) => {
  const { app, page } = await launch({ parts: 'stub' });
  const pid = await servicePid(page);
  process.kill(app.process().pid ?? 0, 'SIGKILL');
  await expect.poll(() => isRunning(pid)).toBe(false);
});
