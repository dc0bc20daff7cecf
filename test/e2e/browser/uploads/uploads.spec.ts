import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { addUser } from '../../../service/people.ts';
import { lookAt } from '../look.ts';
import { expect, password, test } from '../signed-in.ts';

let dir: string;
let run: string;
const big = randomBytes(30_000_000);
test.beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-upload-'));
  run = path.join(dir, 'Run 114');
  await mkdir(path.join(run, 'raw'), { recursive: true });
  await writeFile(path.join(run, 'raw', 'Größe.bin'), big);
  await writeFile(path.join(run, 'empty.txt'), '');
  await writeFile(path.join(run, '.DS_Store'), 'of the system');
  await writeFile(path.join(run, 'notes.txt'), 'first light\n');
});
test.afterAll(async () => rm(dir, { recursive: true }));

test('a folder is uploaded, and is a measurement with the same bytes', async ({ page, service }) => {
  await page.getByRole('button', { name: 'Upload' }).first().click();
  await lookAt(page);
  await page.getByLabel('Choose a folder').setInputFiles(run);
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('3 files')).toBeVisible();
  await expect(dialog.getByText('without 1 file of the operating system')).toBeVisible();
  await expect(dialog.getByLabel('Id')).toHaveValue('Run-114');
  await lookAt(page);
  await dialog.getByRole('button', { name: 'Upload' }).click();
  await expect(page.getByText('Run-114 is registered')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('region', { name: 'Uploads' })).toBeHidden();
  const manifest = await page.request.get(`${service.url}/measurements/Run-114/files`);
  const { files } = (await manifest.json()) as { readonly files: readonly { readonly path: string }[] };
  expect(files.map((file) => file.path)).toEqual(['empty.txt', 'notes.txt', 'raw/Größe.bin']);
  const got = await page.request.get(`${service.url}/measurements/Run-114/files/2`);
  expect((await got.body()).equals(big)).toBe(true);
});

test('an upload into a project is read by its members, and only projects that one may upload into are offered', async ({
  page,
  service,
}) => {
  const { projects, grants } = service.services;
  const bob = await addUser(service.services, 'bob', { password });
  for (const [name, role] of [
    ['lab/optics', 'reporter'],
    ['lab/qmr', 'developer'],
    ['lab/xray', null],
  ] as const) {
    const project = await projects.create(name, name);
    if (role !== null) await projects.setMember(project?.id ?? 0, bob.id, role);
  }
  await page.goto('about:blank');
  await page.context().clearCookies();
  await page.goto(`${service.url}/ui/`);
  await page.getByLabel('User name').fill('bob');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Upload' }).first().click();
  await page.getByLabel('Choose files').setInputFiles(path.join(run, 'notes.txt'));
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Id').fill('notes-2');
  await expect(dialog.getByLabel('Project').getByRole('option')).toHaveText(['None', 'lab/qmr']);
  await dialog.getByLabel('Project').selectOption('lab/qmr');
  await lookAt(page);
  await dialog.getByRole('button', { name: 'Upload' }).click();
  await expect(page.getByText('notes-2 is registered')).toBeVisible({ timeout: 30_000 });
  expect(await grants.ofMeasurement('notes-2')).toMatchObject([{ project_path: 'lab/qmr' }]);
});

test('pauses and goes on, also after a reload, and sends nothing twice', async ({ page, service }) => {
  let sent = 0;
  await page.route('**/api/v4/uploads/*', async (route) => {
    sent += Number((await route.request().allHeaders())['content-length'] ?? 0);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await route.continue();
  });
  const begin = async (): Promise<void> => {
    await page.getByLabel('Choose a folder').setInputFiles(run);
    await page.getByRole('dialog').getByRole('button', { name: 'Upload' }).click();
  };
  await page.getByRole('button', { name: 'Upload' }).first().click();
  await begin();
  await expect(page.getByText(/^Sending, (?!0 B)/)).toBeVisible();
  await lookAt(page);
  await page.getByRole('button', { name: 'Pause the upload of Run-114' }).click();
  await expect(page.getByText(/^Paused/)).toBeVisible();
  await lookAt(page);
  await page.getByRole('button', { name: 'Resume the upload of Run-114' }).click();
  await expect(page.getByText(/^Sending/)).toBeVisible();
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(page.getByText(/^Not finished/)).toBeVisible();
  await lookAt(page);
  await page.getByRole('button', { name: 'Go on with the upload of Run-114' }).click();
  await page.getByLabel('Choose a folder').setInputFiles(run);
  await expect(page.getByText('Run-114 is registered')).toBeVisible({ timeout: 60_000 });
  const got = await page.request.get(`${service.url}/measurements/Run-114/files/2`);
  expect((await got.body()).equals(big)).toBe(true);
  // Parts in flight at the pause and at the reload are sent twice.
  expect(sent).toBeLessThan(big.length + 4 * 8 * 1024 * 1024);
});

test('waits while the service is away, and says why it failed', async ({ page, service }) => {
  await page.goto(`${service.url}/ui/measurements`);
  await page.route('**/api/v4/measurements/uploads', (route) => route.abort());
  await page.getByRole('button', { name: 'Upload' }).first().click();
  await page.getByLabel('Choose files').setInputFiles(path.join(run, 'notes.txt'));
  await page.getByRole('dialog').getByLabel('Id').fill('notes-1');
  await page.getByRole('dialog').getByRole('button', { name: 'Upload' }).click();
  await expect(page.getByText(/^Waiting/)).toBeVisible();
  await lookAt(page);
  await page.unroute('**/api/v4/measurements/uploads');
  await expect(page.getByText('notes-1 is registered')).toBeVisible({ timeout: 20_000 });
  // Other files with an id that is taken are refused.
  await page.getByRole('button', { name: 'Upload' }).first().click();
  await page.getByLabel('Choose a folder').setInputFiles(run);
  await page.getByRole('dialog').getByLabel('Id').fill('notes-1');
  await page.getByRole('dialog').getByRole('button', { name: 'Upload' }).click();
  await expect(page.getByText('There is already a measurement notes-1. Choose another id.')).toBeVisible();
  await lookAt(page);
  await page.getByRole('button', { name: 'Dismiss the upload of notes-1' }).click();
  await expect(page.getByRole('region', { name: 'Uploads' })).toBeHidden();
});

test('what is dropped on the list is uploaded, and the same again was there already', async ({ page, service }) => {
  await page.goto(`${service.url}/ui/measurements`);
  await expect(page.getByRole('button', { name: 'Upload' }).first()).toBeVisible();
  const drop = async (): Promise<void> =>
    page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['dropped'], 'dropped.txt', { lastModified: 1_700_000_000_000 }));
      window.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    });
  for (const told of ['dropped is registered', 'dropped was there already']) {
    await drop();
    await page.getByRole('dialog').getByRole('button', { name: 'Upload' }).click();
    await expect(page.getByText(told)).toBeVisible();
  }
  const got = await page.request.get(`${service.url}/measurements/dropped/files/0`);
  expect(await got.text()).toBe('dropped');
});

test('of many that are not finished the first three are shown, and all on request', async ({ page, service }) => {
  const token = await service.token(1, ['write_measurement']);
  for (let i = 0; i < 12; i += 1) {
    const created = await page.request.post(`${service.url}/api/v4/measurements/uploads`, {
      headers: { authorization: `Bearer ${token}` },
      data: {
        id: `left-${i}`,
        manifest: [
          { path: 'a', length: 9, crc32: 1, sha256: 'a'.repeat(64), registrationTime: '2026-01-01T00:00:00Z' },
        ],
      },
    });
    expect(created.status()).toBe(201);
  }
  await page.goto(`${service.url}/ui/measurements`);
  const rows = page.getByRole('region', { name: 'Uploads' }).getByRole('listitem');
  await expect(rows).toHaveCount(3);
  await lookAt(page);
  await page.getByRole('button', { name: 'Show 9 more uploads' }).click();
  await expect(rows).toHaveCount(12);
});
