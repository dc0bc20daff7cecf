import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FetchPlan } from '../../../../../src-main/service/fetching/engine/types.ts';
import { openFetchLab, type FetchLab } from '../../../../faults/fetch-lab.ts';
import { partialEnding } from '../../../../faults/folder-contents.ts';
import { generateMeasurement } from '../../../../faults/measurement.ts';
import { addMeasurement } from '../../../fixture-measurement.ts';
import { startTestService, type TestService } from '../../../start.ts';

const files = [
  { path: 'raw/trace.bin', bytes: randomBytes(9_000_000) },
  { path: 'empty.dat', bytes: '' },
  { path: 'notes/größe µm.txt', bytes: 'twelve bytes' },
  ...Array.from({ length: 60 }, (_, at) => ({ path: `many/${at}.bin`, bytes: randomBytes(at * 100) })),
];
let service: TestService;
let lab: FetchLab;
let token = '';
let scenes = 0;

beforeAll(async () => {
  [service, lab] = await Promise.all([startTestService(), openFetchLab()]);
  const alice = await service.user('alice');
  token = await service.token(alice);
  await addMeasurement(service, alice, 'run-1', files);
});
afterAll(async () => {
  await lab.end();
  await service.end();
});

/** A fetch from the real service into a separate folder. */
async function begin(
  rest: Partial<FetchPlan> = {},
): Promise<{ plan: FetchPlan; run: () => ReturnType<FetchLab['engine']['run']>; next: () => Promise<FetchPlan> }> {
  scenes += 1;
  const scene = lab.scene(generateMeasurement(`nothing-${scenes}`, 1, []));
  const made = await scene.plan(service.url, { measurementId: 'run-1', ...rest });
  const plan = { ...made, source: { baseUrl: service.url, token, certificate: null } };
  return {
    plan,
    run: () => lab.engine.run(plan),
    next: async () => ({ ...plan, ...(await lab.fetches.order(plan.id)) }),
  };
}

function mustHoldAll(target: string): void {
  for (const file of files)
    expect(readFileSync(path.join(target, file.path)).equals(Buffer.from(file.bytes)), file.path).toBe(true);
}

it('fetches files, skips what is there, verifies and finds what was damaged since', async () => {
  const { plan, run, next } = await begin();
  const first = run();
  expect(await first.outcome).toEqual({ kind: 'done' });
  mustHoldAll(plan.target);
  const total = files.reduce((sum, file) => sum + file.bytes.length, 0);
  expect(first.progress()).toMatchObject({
    filesDone: files.length,
    bytesDone: total,
    bytesVerified: total,
    bytesReceived: total,
    connections: 0,
    inFlight: [],
  });

  // A kill between the verified file's final name and its record leaves such a second name.
  const left = path.join(plan.target, `many/7.bin${partialEnding}`);
  linkSync(path.join(plan.target, 'many/7.bin'), left);
  // Another fetch into the same folder takes nothing over the network.
  const again = await begin({ target: plan.target });
  const second = again.run();
  expect(await second.outcome).toEqual({ kind: 'done' });
  expect(second.progress()).toMatchObject({ filesDone: files.length, bytesReceived: 0 });
  expect(existsSync(left)).toBe(false);

  expect(await lab.engine.verify(await next()).outcome).toEqual({ kind: 'done' });
  const damaged = path.join(plan.target, 'raw/trace.bin');
  const bytes = readFileSync(damaged);
  bytes[5_000_000] = (bytes[5_000_000] ?? 0) ^ 1;
  writeFileSync(damaged, bytes);
  expect(await lab.engine.verify(await next()).outcome).toMatchObject({ kind: 'failed', reason: 'files-failed' });
  expect((await lab.journal.standing(plan.id)).filesDone).toBe(files.length - 1);
});

it('fetches chosen files only, and says which are not there', async () => {
  const some = await begin({ chosen: [0, 2] });
  expect(await some.run().outcome).toEqual({ kind: 'done' });
  expect(statSync(path.join(some.plan.target, 'empty.dat')).size).toBe(0);
  expect(await (await begin({ chosen: [0, 999] })).run().outcome).toMatchObject({
    kind: 'failed',
    reason: 'not-found',
  });
});

it('fetches the archive, and unpacks it', async () => {
  const packed = await begin({ what: 'archive' });
  expect(await packed.run().outcome).toEqual({ kind: 'done' });
  expect(statSync(path.join(packed.plan.target, 'run-1.zip')).size).toBeGreaterThan(9_000_000);
  const unpacked = await begin({ what: 'archive', unpack: true });
  expect(await unpacked.run().outcome).toEqual({ kind: 'done' });
  mustHoldAll(unpacked.plan.target);
  expect(() => statSync(path.join(unpacked.plan.target, 'run-1.zip'))).toThrow('ENOENT');
  expect(await lab.engine.verify(await unpacked.next()).outcome).toEqual({ kind: 'done' });
  writeFileSync(path.join(unpacked.plan.target, 'many/7.bin'), 'other');
  expect(await lab.engine.verify(await unpacked.next()).outcome).toMatchObject({
    kind: 'failed',
    message: expect.stringContaining('1 file is') as string,
  });
});

it('keeps to a limit, stops, and continues with its pieces', async () => {
  const { plan, run, next } = await begin();
  lab.engine.limit(null, new Map([[service.url, 4_000_000]]));
  const first = run();
  while (first.progress().bytesDone < 1_000_000) await new Promise((resolve) => setTimeout(resolve, 10));
  // Without the limit, everything would be received by the first poll.
  expect(first.progress().bytesReceived).toBeLessThan(8_000_000);
  first.stop();
  expect(await first.outcome).toEqual({ kind: 'stopped' });
  const { bytesDone } = await lab.journal.standing(plan.id);
  expect(bytesDone).toBe(first.progress().bytesDone);
  lab.engine.limit(null, new Map());
  const second = lab.engine.run(await next());
  expect(await second.outcome).toEqual({ kind: 'done' });
  expect(second.progress().bytesReceived).toBeLessThan(9_200_000 - bytesDone + 200_000);
  mustHoldAll(plan.target);
});

it('does not wait out a limit that is another one meanwhile', async () => {
  // A block of a connection takes minutes with this one.
  lab.engine.limit(1024, new Map());
  const { plan, run } = await begin({ chosen: [files.length - 1] });
  const going = run();
  while (going.progress().bytesReceived === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  lab.engine.limit(null, new Map([[service.url, 1e9]]));
  expect(await going.outcome).toEqual({ kind: 'done' });
  lab.engine.limit(null, new Map());
  expect(readFileSync(path.join(plan.target, 'raw/trace.bin')).equals(Buffer.from(files[0]?.bytes ?? ''))).toBe(true);
});

it('asks the user when the token is refused', async () => {
  const { plan } = await begin();
  const outcome = await lab.engine.run({ ...plan, source: { ...plan.source, token: 'wrong' } }).outcome;
  expect(outcome).toMatchObject({ kind: 'ask', reason: 'token-refused' });
  expect(await lab.engine.run({ ...plan, target: '/nowhere/at/all' }).outcome).toMatchObject({
    kind: 'ask',
    reason: 'target-missing',
  });
});
