import { afterAll, beforeAll, expect, test } from 'vitest';
import { readdressed, sdkRequests } from '../../service/errors/ingest/sdk-requests.ts';
import { startSdkWorld, type SdkWorld } from './sdk-project.ts';

let world: SdkWorld;
beforeAll(async () => {
  world = await startSdkWorld();
});
afterAll(() => world.service.end());

const common = {
  level: 'error',
  message: null,
  events: 1,
  users: 1,
  release: 'lab@1.0.0',
  environment: 'lab',
  user: ['u1', null, null],
  tags: {},
  threads: [],
  breadcrumbs: [],
};

// Recorded requests of two releases that cannot be installed here as programs.
test.each([
  { recorded: 'php', sdk: 'sentry.php 3.18.0', type: 'RuntimeException', value: 'bad thing' },
  { recorded: 'ruby', sdk: 'sentry.ruby 5.9.0', type: 'ZeroDivisionError', value: 'divided by 0' },
])('$sdk, from its recorded requests: an exception and a message', async ({ recorded, sdk, type, value }) => {
  const project = await world.project(`lab/${recorded}`);
  for (const request of sdkRequests().filter((one) => one.sdk === recorded)) {
    const { url, headers, body } = readdressed(request, {
      url: world.service.url,
      projectId: project.id,
      publicKey: project.publicKey,
    });
    expect((await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) })).status).toBe(200);
  }
  expect(await project.shown()).toMatchObject([
    { ...common, title: `${type}: ${value}`, platform: recorded, exceptions: [{ type, value }], sdk },
    {
      ...common,
      title: `hello from ${recorded}`,
      platform: recorded,
      level: 'warning',
      message: `hello from ${recorded}`,
      exceptions: [],
      sdk,
    },
  ]);
});
