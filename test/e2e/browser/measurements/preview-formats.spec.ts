import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { sampleNexus } from '../../../renderer/preview/sample-files.ts';
import { sampleFile } from '../../../renderer/preview/sample-formats.ts';
import { lookAt } from '../look.ts';
import { expect, test } from '../signed-in.ts';
import { previewOf, show } from './preview-page.ts';

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
