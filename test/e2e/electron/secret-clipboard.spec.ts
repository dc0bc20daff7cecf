import fs from 'node:fs/promises';
import path from 'node:path';
import { expect, quit, test } from './launch.ts';

test('S111 a secret copied in the window is on the system clipboard, which the page itself cannot read', async ({
  launch,
}) => {
  const { app, page } = await launch({ parts: 'stub' });
  await expect(page.locator('#state')).toHaveText(/^ready/);
  await page.evaluate(() =>
    (window as unknown as { benchport: { copySecret(text: string): Promise<void> } }).benchport.copySecret(
      'bppat-of-this-test',
    ),
  );
  expect(await app.evaluate(async ({ clipboard }) => clipboard.readText())).toBe('bppat-of-this-test');
  const read = await page.evaluate(() => navigator.clipboard.readText().catch((error: Error) => error.name));
  expect(read).toBe('NotAllowedError');
});

test('S111 it is removed from there when the application ends', async ({ launch }) => {
  const { app, page, folder } = await launch({ parts: 'stub' });
  const note = path.join(folder, 'left-on-the-clipboard');
  await expect(page.locator('#state')).toHaveText(/^ready/);
  // The system's clipboard may drop the content of an ended program, so the application itself
  // reports what it cleared.
  await app.evaluate(({ clipboard }, file) => {
    const clear = clipboard.clear.bind(clipboard);
    clipboard.clear = () => {
      process.getBuiltinModule('fs').writeFileSync(file, 'nothing');
      return clear();
    };
  }, note);
  await page.evaluate(() =>
    (window as unknown as { benchport: { copySecret(text: string): Promise<void> } }).benchport.copySecret(
      'bppat-of-this-test',
    ),
  );
  await quit(app);
  await expect.poll(() => fs.readFile(note, 'utf8').catch(() => 'not yet')).toBe('nothing');
});
