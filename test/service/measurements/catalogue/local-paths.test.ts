import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Job } from '../../../../src-main/service/contract/jobs.ts';
import type { MeasurementDetail } from '../../../../src-main/service/contract/measurements.ts';
import { browserAt, csrfOf, type Browser } from '../../browser.ts';
import { asWindow } from '../../as-window.ts';
import { addUser } from '../../people.ts';
import { jobIn, makeFiles, register, startWithFolder } from '../registration/support.ts';
import { useWorld } from '../../use-service.ts';

const service = useWorld(startWithFolder);
let exported: Job;

async function exportAsZip(): Promise<Job> {
  const answer = await asWindow(service, 'POST', '/api/v4/local/measurements/run/exports', {
    directory: path.join(service.files, 'target'),
    format: 'zip',
  });
  return jobIn(service, (answer.body as Job).id, 'done');
}

beforeAll(async () => {
  await makeFiles(service.run, { 'a.txt': 'alpha' });
  await mkdir(path.join(service.files, 'target'));
  await register(service, { path: service.run });
  exported = await exportAsZip();
});

const readings = () => [
  '/api/v4/measurements',
  '/api/v4/measurements/run',
  '/measurements/run/files',
  '/api/v4/jobs',
  `/api/v4/jobs/${exported.id}`,
];

async function signedInAdministrator(): Promise<Browser> {
  await addUser(service.services, 'bob', { password: 'a long enough pass phrase', isAdmin: true });
  const browser = browserAt(service);
  expect((await browser.signIn('bob', 'a long enough pass phrase')).status).toBe(303);
  return browser;
}

test('the window shows the folders of measurements, because its owner can open them there', async () => {
  expect((await asWindow(service, 'GET', '/api/v4/measurements/run')).body as MeasurementDetail).toMatchObject({
    root: service.run,
  });
  expect((await asWindow(service, 'GET', `/api/v4/jobs/${exported.id}`)).body as Job).toMatchObject({
    result: path.join(service.files, 'target/run.zip'),
  });
});

test('an administrator in a browser manages measurements and jobs, and sees no folder of the machine', async () => {
  const browser = await signedInAdministrator();
  const answers = [];
  for (const url of readings()) {
    const response = await browser.get(url);
    expect(response.status).toBe(200);
    answers.push(await response.text());
  }
  const steered = await browser.send(
    'POST',
    `/api/v4/jobs/${exported.id}`,
    { action: 'cancel' },
    { 'x-csrf-token': await csrfOf(browser) },
  );
  answers.push(await steered.text());
  expect(answers.join('\n')).not.toContain(service.files);
  expect(JSON.parse(answers[1] ?? '')).toMatchObject({ may_manage: true, storage: 'reference', root: null });
  expect(JSON.parse(answers[4] ?? '')).toMatchObject({ state: 'done', result: null });
});

test('a token of the owner shows no folders either, because it may be used on another machine', async () => {
  const owner = await service.services.users.byUsername('alice');
  const headers = { authorization: `Bearer ${await service.token(owner?.id ?? 0, ['api'])}` };
  for (const url of readings()) {
    const response = await fetch(service.url + url, { headers });
    expect(response.status).toBe(200);
    expect(await response.text()).not.toContain(service.files);
  }
});

test('the event stream of an administrator shows no folders either', async () => {
  const owner = await service.services.users.byUsername('alice');
  const headers = { authorization: `Bearer ${await service.token(owner?.id ?? 0)}` };
  const leave = new AbortController();
  const stream = await fetch(`${service.url}/api/v4/events`, { headers, signal: leave.signal });
  let text = '';
  const reading = (async () => {
    for await (const bytes of stream.body ?? []) {
      text += Buffer.from(bytes).toString();
      if (/^data: .*"kind":"export".*"state":"done"/m.test(text)) return;
    }
  })();
  await exportAsZip();
  await reading;
  leave.abort();
  expect(text).not.toContain(service.files);
});
