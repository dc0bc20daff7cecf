import type { Page } from '@playwright/test';
import { addMeasurement, openBeside } from '../service/fixture-measurement.ts';
import { startTestService } from '../service/start.ts';
import { themes, type Camera, type Size } from './camera.ts';
import { hostileFiles, kindFiles } from './preview-files.ts';

type SizeName = 'usual' | 'narrow' | 'wide';

interface PreviewScene {
  readonly name: string;
  readonly run: 'kinds' | 'hostile';
  /** The file that is looked into; null for the files themselves. */
  readonly file: string | null;
  readonly sizes?: readonly SizeName[];
  /** Before the page is opened. */
  readonly before?: (page: Page) => Promise<void>;
  /** Ends when what is to be seen is there. */
  readonly arrange: (page: Page) => Promise<void>;
}

const sizes: Readonly<Record<SizeName, Size>> = {
  usual: { width: 1280, height: 800 },
  narrow: { width: 420, height: 800 },
  wide: { width: 1920, height: 1000 },
};
const all: readonly SizeName[] = ['usual', 'narrow', 'wide'];

const text = (wanted: string | RegExp) => async (page: Page) => page.getByText(wanted).first().waitFor();
const drawn = (name: string | RegExp) => async (page: Page) => page.getByRole('img', { name }).waitFor();
const press = (button: string | RegExp, then: (page: Page) => Promise<void>) => async (page: Page) => {
  await page.getByRole('button', { name: button }).click();
  await then(page);
};

/** Answers for the bytes of files in place of the service. */
const bytesAre =
  (status: number | 'never' | 'away') =>
  async (page: Page): Promise<void> => {
    const detail = 'The disk with the files of this measurement is busy. Try again in a minute.';
    await page.route(/\/measurements\/[^/]+\/files\/\d+$/, async (route) => {
      if (status === 'never') return;
      if (status === 'away') await route.abort('connectionrefused');
      else await route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify({ detail }) });
    });
  };

async function showPictures(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Show pictures' }).click();
}
async function allPictures(page: Page): Promise<void> {
  await showPictures(page);
  await page.waitForFunction(() => {
    const tiles = [...document.querySelectorAll('[aria-label="Pictures of files"] li')];
    return (
      tiles.length > 0 &&
      tiles.every(
        (tile) => tile.querySelector('canvas, svg[preserveAspectRatio]') ?? /No picture/.test(tile.textContent),
      )
    );
  });
}

const kinds: readonly PreviewScene[] = [
  { name: 'hdf5', run: 'kinds', file: 'rings.nxs', arrange: drawn(/frames/) },
  {
    name: 'curve',
    run: 'kinds',
    file: 'rings.nxs',
    arrange: press(/^integrated/, press(/^intensity/, drawn(/intensity/))),
  },
  { name: 'table', run: 'kinds', file: 'pattern.csv', arrange: text('10.00') },
  { name: 'plot', run: 'kinds', file: 'pattern.csv', arrange: press('Plot', drawn(/^counts over/)) },
  { name: 'picture', run: 'kinds', file: 'overview.png', arrange: drawn(/^The picture/) },
  { name: 'drawing', run: 'kinds', file: 'figure.svg', arrange: drawn('The drawing') },
  { name: 'mzml', run: 'kinds', file: 'peptides.mzML', arrange: drawn(/^Intensity/) },
  { name: 'jcamp', run: 'kinds', file: 'ethanol.jdx', arrange: drawn(/TRANSMITTANCE/) },
  { name: 'nifti', run: 'kinds', file: 'head.nii.gz', arrange: drawn(/^image/) },
  { name: 'dicom', run: 'kinds', file: 'image.dcm', arrange: text(/Alice/) },
  { name: 'fcs', run: 'kinds', file: 'cells.fcs', arrange: text(/Aria/) },
  { name: 'notebook', run: 'kinds', file: 'fit.ipynb', arrange: text('print(2)') },
  { name: 'zip', run: 'kinds', file: 'raw.zip', arrange: text('raw/größe 001.txt') },
  { name: 'text', run: 'kinds', file: 'beamline.log', arrange: text(/shutter opened/) },
  { name: 'bytes', run: 'kinds', file: 'counter.dat', arrange: text(/00000000/) },
];

const states: readonly PreviewScene[] = [
  {
    name: 'loading',
    run: 'kinds',
    file: 'pattern.csv',
    before: bytesAre('never'),
    arrange: text('Looking into the file'),
  },
  { name: 'away', run: 'kinds', file: 'pattern.csv', before: bytesAre('away'), arrange: text('cannot be read now') },
  { name: 'busy', run: 'kinds', file: 'pattern.csv', before: bytesAre(503), arrange: text('is busy') },
  { name: 'changed', run: 'kinds', file: 'pattern.csv', before: bytesAre(412), arrange: text('The file has changed.') },
  { name: 'lost', run: 'hostile', file: 'b-lost.nxs', arrange: text('took longer than 5 s') },
  { name: 'damaged', run: 'hostile', file: 'c-cut.h5', arrange: text('not what it says') },
  { name: 'large', run: 'hostile', file: 'd-bomb.png', arrange: text('60000 × 60000') },
];

const galleries: readonly PreviewScene[] = [
  { name: 'gallery', run: 'kinds', file: null, sizes: all, arrange: allPictures },
  { name: 'gallery-loading', run: 'kinds', file: null, before: bytesAre('never'), arrange: showPictures },
  { name: 'gallery-failures', run: 'hostile', file: null, sizes: ['usual', 'narrow'], arrange: allPictures },
];

const scenes: readonly PreviewScene[] = [
  ...kinds.map((scene): PreviewScene => ({ ...scene, name: `preview-${scene.name}`, sizes: all })),
  ...states.map((scene): PreviewScene => ({ ...scene, name: `preview-${scene.name}`, sizes: ['usual', 'narrow'] })),
  ...galleries,
];

/** Takes the pictures of previews and galleries, of a real service, whose names begin with this. */
export async function shootPreviews({ context, shoot }: Camera, begin: string): Promise<void> {
  const wanted = scenes.filter(({ name }) => name.startsWith(begin));
  if (wanted.length === 0) return;
  const service = await startTestService({ baseUrl: 'http://127.0.0.1:7420', version: '0.1.0' });
  try {
    await addMeasurement(service, await service.user('alice', true), 'saxs-2026-031', await kindFiles());
    await addMeasurement(service, 1, 'saxs-2026-032', await hostileFiles());
    const beside = openBeside(service);
    beside.prepare('UPDATE measurements SET title = ?, verified_at = ?').run('Silver behenate, 12 keV', Date.now());
    beside.close();
    const url = `http://127.0.0.1:${service.port}`;
    const cookie = await service.services.sessions.begin(1, null, null);
    for (const { name, run, file, sizes: wantedSizes = ['usual'] as const, before, arrange } of wanted) {
      for (const size of wantedSizes) {
        for (const theme of size === 'usual' ? themes : (['light'] as const)) {
          const opened = await context(theme, sizes[size]);
          await opened.addCookies([{ name: 'benchport_session', value: cookie, url }]);
          const page = await opened.newPage();
          await before?.(page);
          await page.goto(`${url}/ui/measurements/${run === 'kinds' ? 'saxs-2026-031' : 'saxs-2026-032'}`);
          const files = page.getByRole('treegrid', { name: 'Files' });
          if (file === null) await files.waitFor();
          else await files.getByRole('button', { name: file, exact: true }).click();
          await arrange(page);
          await shoot(page, `${name}${size === 'usual' ? '' : `-${size}`}-${theme}`);
        }
      }
    }
  } finally {
    await service.end();
  }
}
