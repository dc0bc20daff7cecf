import type { Page } from '@playwright/test';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { addMeasurement, type FixtureFile } from '../../../service/fixture-measurement.ts';
import type { TestService } from '../../../service/start.ts';
import { sampleCsv, sampleNexus, samplePng } from '../../../renderer/preview/sample-files.ts';
import { sampleFile } from '../../../renderer/preview/sample-formats.ts';
import { mutate } from '../../../renderer/preview/mutate.ts';
import { lookAt } from '../look.ts';
import { expect, test } from '../signed-in.ts';

/** Opens a measurement of these files; alice, who is signed in, owns it. */
async function show(page: Page, service: TestService, files: readonly FixtureFile[]): Promise<void> {
  await addMeasurement(service, 1, 'run-7', files);
  await page.goto(`${service.url}/ui/measurements/run-7`);
}

const previewOf = (page: Page, name: string) => page.getByRole('region', { name: `Preview of ${name}` });

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

test('a NeXus file shows what its attributes name, its tree, and its frames', async ({ page, service }) => {
  await show(page, service, [{ path: 'iron.nxs', bytes: Buffer.from(await sampleNexus()) }]);
  await page.getByRole('button', { name: 'iron.nxs', exact: true }).click();
  const preview = previewOf(page, 'iron.nxs');
  await expect(
    preview.getByRole('img', { name: /^counts over energy, 0 to 49\d.*: values from 100 to 199/ }),
  ).toBeVisible();
  await lookAt(page);
  await preview.getByRole('button', { name: 'detector' }).click();
  await preview.getByRole('button', { name: /^frames/ }).click();
  await expect(preview.getByRole('img', { name: /^frames, 48 × 64 values/ })).toBeVisible();
  await preview.getByLabel(/^Dimension 1/).fill('3');
  await expect(preview.getByText('Dimension 1: 4 of 6')).toBeVisible();
  await lookAt(page);
  await preview.getByRole('button', { name: /^title/ }).click();
  await expect(preview.getByText('Iron, second try')).toBeVisible();
  await expect(preview.getByRole('button', { name: /^lost/ })).toBeDisabled();
  // Everything that was read is one download in the history, of a part.
  const history = async () => {
    const answer = await page.request.get(`${service.url}/api/v4/measurements/run-7/downloads`);
    return (await answer.json()) as readonly { readonly outcome: string; readonly requests: number }[];
  };
  await expect.poll(async () => (await history()).map(({ outcome }) => outcome)).toHaveLength(1);
});

test('a drawing is a picture, whose scripts and links do nothing', async ({ page, service }) => {
  const asked: string[] = [];
  const elsewhere = http.createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end();
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  const { port } = elsewhere.address() as AddressInfo;
  const other = `http://127.0.0.1:${port}`;
  const bytes = `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="60" height="40" onload="fetch('${other}/onload')">
    <script>fetch('${other}/script'); parent.document.title = 'taken over'</script><script href="${other}/script.js"/>
    <style>@font-face { font-family: far; src: url(${other}/font.woff2) }</style>
    <image href="${other}/image.png" width="9" height="9"/><use href="${other}/use.svg#a"/>
    <foreignObject width="60" height="40"><body xmlns="http://www.w3.org/1999/xhtml"><p style="font-family: far">p</p>
      <img src="${other}/img.png" onerror="parent.document.title = 'taken over'"/><iframe src="${other}/frame"/>
      <link rel="stylesheet" href="${other}/style.css"/><script>parent.document.title = 'taken over'</script></body></foreignObject>
    <rect width="60" height="40" fill="#0080ff"/></svg>`;
  try {
    await show(page, service, [
      { path: 'figure.svg', bytes },
      { path: 'cut.svg', bytes: bytes.slice(0, -6) },
    ]);
    await expect(page).toHaveTitle('Measurements · Benchport');
    await page.getByRole('button', { name: 'figure.svg', exact: true }).click();
    const drawing = previewOf(page, 'figure.svg').getByRole('img', { name: 'The drawing' });
    await expect(drawing).toBeVisible();
    // Its own width shows that it was decoded.
    await expect.poll(async () => drawing.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(60);
    await lookAt(page);
    await previewOf(page, 'figure.svg').getByRole('button', { name: 'Text' }).click();
    await expect(previewOf(page, 'figure.svg').getByText('taken over').first()).toBeVisible();
    expect([await page.title(), asked]).toEqual(['Measurements · Benchport', []]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'cut.svg', exact: true }).click();
    await expect(previewOf(page, 'cut.svg').getByText('it cannot be drawn')).toBeVisible();
  } finally {
    elsewhere.close();
  }
});

test('elements of DICOM are a table, also packed ones with a filler at the end', async ({ page, service }) => {
  await show(page, service, [
    { path: 'deflated.dcm', bytes: Buffer.from(await sampleFile('pydicom-deflated.dcm')) },
    { path: 'filled.dcm', bytes: Buffer.concat([await sampleFile('pydicom-deflated.dcm'), Buffer.alloc(1)]) },
  ]);
  for (const name of ['deflated.dcm', 'filled.dcm']) {
    await page.getByRole('button', { name, exact: true }).click();
    await expect(previewOf(page, name).getByRole('cell', { name: 'Größe^Alice' })).toBeVisible();
    if (name === 'filled.dcm') await lookAt(page);
    await page.keyboard.press('Escape');
  }
});

test('a packed NIfTI has slices, and an mzML a chromatogram', async ({ page, service }) => {
  await show(page, service, [
    { path: 'head.nii.gz', bytes: Buffer.from(await sampleFile('nibabel.nii.gz')) },
    { path: 'peptides.mzML', bytes: Buffer.from(await sampleFile('psims.mzML')) },
  ]);
  await page.getByRole('button', { name: 'head.nii.gz', exact: true }).click();
  const image = previewOf(page, 'head.nii.gz');
  await expect(image.getByRole('img', { name: /^image, 32 × 24 values from 3 to 765/ })).toBeVisible();
  await image.getByLabel(/^Dimension 1/).fill('2');
  await expect(image.getByRole('img', { name: /values from 2003 to 2765/ })).toBeVisible();
  await image.getByRole('textbox', { name: 'Number in dimension 1' }).fill('5');
  await expect(image.getByRole('img', { name: /values from 4003 to 4765/ })).toBeVisible();
  await expect(image.getByRole('button', { name: 'The one after in dimension 1' })).toBeDisabled();
  await image.getByRole('button', { name: 'The one before in dimension 1' }).click();
  await expect(image.getByRole('img', { name: /values from 3003 to 3765/ })).toBeVisible();
  await image.getByRole('textbox', { name: 'Number in dimension 1' }).fill('6');
  await expect(image.getByText('Dimension 1: 4 of 5')).toBeVisible();
  await lookAt(page);
  await image.getByRole('button', { name: 'Back to the measurement' }).click();
  await page.getByRole('button', { name: 'peptides.mzML', exact: true }).click();
  const spectra = previewOf(page, 'peptides.mzML');
  await spectra.getByRole('button', { name: /^chromatograms/ }).click();
  await expect(spectra.getByRole('img', { name: /^Intensity, TIC over Time \(min\)/ })).toBeVisible();
  await lookAt(page);
});

test('packed datasets are unpacked by programs from the own origin', async ({ page, service }) => {
  const programs: string[] = [];
  page.on('request', (request) => programs.push(request.url()));
  await show(page, service, [{ path: 'packed.h5', bytes: Buffer.from(await sampleFile('hdf5plugin.h5')) }]);
  await page.getByRole('button', { name: 'packed.h5', exact: true }).click();
  const preview = previewOf(page, 'packed.h5');
  for (const name of ['bitshuffle', 'blosc', 'blosc2', 'lz4', 'lzf', 'zstd']) {
    await preview.getByRole('button', { name: new RegExp(`^${name} `) }).click();
    await expect(
      preview.getByRole('img', { name: new RegExp(`^${name}, 32 × 24 values from 0 to 199`) }),
    ).toBeVisible();
  }
  expect(new Set(programs.map((url) => new URL(url).origin))).toEqual(new Set([service.url]));
  await preview.getByRole('button', { name: /^bzip2 / }).click();
  await expect(preview.getByText('The dataset is packed with bzip2, which a preview cannot unpack.')).toBeVisible();
  await lookAt(page);
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
