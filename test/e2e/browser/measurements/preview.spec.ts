import { sampleCsv, sampleNexus, samplePng } from '../../../renderer/preview/sample-files.ts';
import { mutate } from '../../../renderer/preview/mutate.ts';
import { lookAt } from '../look.ts';
import { expect, test } from '../signed-in.ts';
import { previewOf, show } from './preview-page.ts';

test('a text is read from its beginning, by keyboard, and Escape leads back to its row', async ({ page, service }) => {
  const lines = Array.from({ length: 5000 }, (_, at) => `line ${at}: äöü and what the instrument said`).join('\n');
  await show(page, service, [{ path: 'raw/notes.txt', bytes: lines }]);
  // Few files: their folders are unfolded.
  const files = page.getByRole('treegrid', { name: 'Files' });
  await expect(files.getByRole('row', { name: 'notes.txt' })).toBeVisible();
  await files.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const preview = previewOf(page, 'notes.txt');
  await expect(preview.getByText('line 0: äöü')).toBeVisible();
  await expect(preview.getByText('Text (UTF-8)')).toBeVisible();
  await expect(preview.getByText(/^Preview read 64\.0 KiB of 2\d\d KiB$/)).toBeVisible();
  await expect(preview.getByText('line 4999:')).toBeHidden();
  await preview.getByRole('button', { name: 'Go on' }).click();
  await expect(preview.getByText('line 1500:')).toBeAttached();
  await lookAt(page);
  await page.keyboard.press('Escape');
  await expect(preview).toBeHidden();
  await expect(files).toBeFocused();
  const active = await files.getAttribute('aria-activedescendant');
  await expect(page.locator(`#${active ?? ''}`)).toContainText('notes.txt');
});

test('the first click on a row below the fold opens it', async ({ page, service }) => {
  const names = Array.from({ length: 60 }, (_, at) => `note-${at}.txt`);
  await show(
    page,
    service,
    names.map((path) => ({ path, bytes: path })),
  );
  await page.getByRole('row', { name: 'note-0.txt' }).hover();
  await page.mouse.wheel(0, 1500);
  await page.getByRole('button', { name: 'note-55.txt', exact: true }).click();
  await expect(previewOf(page, 'note-55.txt')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('row', { name: 'note-55.txt' })).toBeInViewport();
});

test('a table is shown as rows and as a plot', async ({ page, service }) => {
  await show(page, service, [{ path: 'scan.csv', bytes: sampleCsv(30_000) }]);
  await page.getByRole('button', { name: 'scan.csv', exact: true }).click();
  const preview = previewOf(page, 'scan.csv');
  await expect(preview.getByRole('columnheader', { name: 'error, relative' })).toBeVisible();
  await expect(preview.getByRole('cell', { name: '0.01', exact: true }).first()).toBeVisible();
  await lookAt(page);
  await preview.getByRole('button', { name: 'The part after' }).click();
  await expect(preview.getByText(/^Rows (?!1 to)/)).toBeVisible();
  await preview.getByRole('button', { name: 'Plot' }).click();
  await expect(
    preview.getByRole('img', { name: /^counts over angle, 0 to 299.9: values from 100 to 1900/ }),
  ).toBeVisible();
  await preview.getByRole('combobox', { name: 'Over' }).selectOption('Number of the row');
  await expect(preview.getByRole('img', { name: /^counts over Row, 1 to/ })).toBeVisible();
  await lookAt(page);
});

test('Escape leaves a preview also from a slider or a selection, but from an open list first', async ({
  page,
  service,
}) => {
  await show(page, service, [
    { path: 'iron.nxs', bytes: Buffer.from(await sampleNexus()) },
    { path: 'scan.csv', bytes: sampleCsv(30_000) },
  ]);
  const open = async (name: string) => {
    await page.getByRole('button', { name, exact: true }).click();
    return previewOf(page, name);
  };
  const table = await open('scan.csv');
  await table.getByRole('slider', { name: 'Place in the file' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Escape');
  await expect(table).toBeHidden();

  const plot = await open('scan.csv');
  await plot.getByRole('button', { name: 'Plot' }).click();
  const over = plot.getByRole('combobox', { name: 'Over' });
  await over.focus();
  await page.keyboard.press('Alt+ArrowDown');
  await expect.poll(async () => over.evaluate((list) => list.matches(':open'))).toBe(true);
  await page.keyboard.press('Escape');
  await expect.poll(async () => over.evaluate((list) => list.matches(':open'))).toBe(false);
  await expect(over).toBeFocused();
  await expect(plot).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(plot).toBeHidden();

  const frames = await open('iron.nxs');
  await frames.getByRole('button', { name: 'detector' }).click();
  await frames.getByRole('button', { name: /^frames/ }).click();
  await frames.getByLabel(/^Dimension 1/).focus();
  await page.keyboard.press('Escape');
  await expect(frames).toBeHidden();
  // A menu keeps its Escape.
  await page.getByRole('button', { name: 'Actions for scan.csv' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toBeHidden();
  await expect(page.getByRole('button', { name: 'scan.csv', exact: true })).toBeVisible();
});

test('a picture is drawn, and one that claims a huge size is refused', async ({ page, service }) => {
  await show(page, service, [
    { path: 'good.png', bytes: samplePng(300, 200) },
    { path: 'bomb.png', bytes: samplePng(8, 8, { width: 60_000, height: 60_000 }) },
  ]);
  await page.getByRole('button', { name: 'good.png', exact: true }).click();
  await expect(previewOf(page, 'good.png').getByRole('img', { name: 'The picture, 300 × 200 pixels' })).toBeVisible();
  await lookAt(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'bomb.png', exact: true }).click();
  const preview = previewOf(page, 'bomb.png');
  await expect(preview.getByText('The picture states 60000 × 60000 pixels')).toBeVisible();
  await lookAt(page);
  await preview.getByRole('button', { name: 'Show its bytes' }).click();
  await expect(preview.getByText('00000000  89 50 4e 47')).toBeVisible();
});

test('a damaged file says so, and its preview reopens from its address', async ({ page, service }) => {
  const bytes = Buffer.from(await sampleNexus()).subarray(0, 700);
  await show(page, service, [{ path: 'cut.h5', bytes }]);
  await page.goto(`${service.url}/ui/measurements/run-7?file=0`);
  const preview = previewOf(page, 'cut.h5');
  await expect(preview.getByText('This file is not what it says it is.')).toBeVisible();
  await lookAt(page);
  await preview.getByRole('button', { name: 'Back to the measurement' }).click();
  await expect(preview).toBeHidden();
});

test('a file in which the HDF5 library gets lost harms only its preview', async ({ page, service }) => {
  // Found by the test of mutated files: the library opens it and never returns.
  await show(page, service, [{ path: 'lost.nxs', bytes: Buffer.from(mutate(await sampleNexus(), 5955)) }]);
  await page.getByRole('button', { name: 'lost.nxs', exact: true }).click();
  const preview = previewOf(page, 'lost.nxs');
  await expect(preview.getByText('Reading the file took longer than 5 s without an end')).toBeVisible();
  await preview.getByRole('button', { name: 'Show its bytes' }).click();
  await expect(preview.getByText('00000000  ')).toBeVisible();
});
