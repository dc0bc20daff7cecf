import { rename, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { addMeasurement } from '../../fixture-measurement.ts';
import { run } from '../../run-program.ts';
import { useTestService, useUser } from '../../use-service.ts';
import { until } from '../../until.ts';

const service = useTestService();
const alice = useUser(service, 'alice');

const state = async (id: string) => (await service.services.measurements.byId(id))?.state;

/** Repeats a request until the file is no longer being compared. */
async function settled(where: string, headers: Record<string, string> = {}): Promise<Response> {
  let answer = await alice.get(where, headers);
  await until(async () => {
    if (answer.status !== 503) return true;
    expect([answer.headers.get('retry-after'), ((await answer.json()) as { type: string }).type]).toEqual([
      '5',
      'urn:benchport:problem:file-being-checked',
    ]);
    answer = await alice.get(where, headers);
    return false;
  }, 'the comparison is over');
  return answer;
}

test('U4: a touched file is compared at once and served, alone and in the archive, and its new time is recorded', async () => {
  const bytes = Buffer.alloc(5000, 'touched ');
  const { root } = await addMeasurement(
    service,
    alice.id,
    'touched',
    ['a', 'b', 'c'].map((name) => ({ path: name, bytes })),
  );
  for (const name of ['a', 'b', 'c']) await utimes(path.join(root, name), 1_600_000_000, 1_600_000_000);
  const answer = await settled('/measurements/touched/files/0');
  expect([answer.status, Buffer.from(await answer.arrayBuffer()).equals(bytes)]).toEqual([200, true]);
  const part = await settled('/measurements/touched/files/1', { range: 'bytes=10-19' });
  expect([part.status, await part.text()]).toEqual([206, bytes.toString('latin1', 10, 20)]);
  expect((await settled('/measurements/touched')).status).toBe(200);
  expect((await service.services.files.at('touched', 2))?.mtime_ns).toBe('1600000000000000000');
  expect(await state('touched')).toBe('available');
});

test('U4: thousands of touched files are compared by one job', async () => {
  const { root } = await addMeasurement(
    service,
    alice.id,
    'restored',
    Array.from({ length: 2000 }, (_, i) => ({ path: `f${String(i).padStart(4, '0')}`, bytes: `file ${i}` })),
  );
  expect((await run('sh', ['-c', `find '${root}' -type f -exec touch -d @1600000000 {} +`])).status).toBe(0);
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, i) => settled(`/measurements/restored/files/${i * 10}`)),
  );
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
  await until(
    async () => (await service.services.files.at('restored', 1999))?.mtime_ns === '1600000000000000000',
    'the last file',
  );
  const jobs = await service.services.jobs.ofMeasurement('restored');
  expect(jobs.length).toBeLessThan(3);
  expect(jobs.map((job) => job.kind)).toContain('verify');
  expect(await state('restored')).toBe('available');
});

test('U4: a file with other bytes is altered, and valid again when the original is restored', async () => {
  const { root } = await addMeasurement(service, alice.id, 'altered', [{ path: 'a', bytes: 'the original' }]);
  const file = path.join(root, 'a');
  await rename(file, `${file}.away`);
  await writeFile(file, 'the mistaken');
  expect((await settled('/measurements/altered/files/0')).status).toBe(409);
  expect(await state('altered')).toBe('degraded');
  expect((await settled('/measurements/altered/files/0')).status).toBe(409);
  // Times of files lag behind the clock by a tick of the kernel.
  await new Promise((resolve) => setTimeout(resolve, 20));
  await rename(`${file}.away`, file);
  expect((await settled('/measurements/altered/files/0')).status).toBe(200);
  expect(await state('altered')).toBe('available');
});

test('L5: a file that is repeatedly replaced by an identical one is served all the while, and never marked', async () => {
  const bytes = Buffer.alloc(4000, 'replaced ');
  const { root } = await addMeasurement(service, alice.id, 'swapped', [
    { path: 'a', bytes },
    { path: 'b', bytes: 'b' },
  ]);
  const file = path.join(root, 'a');
  await utimes(file, 1_600_000_000, 1_600_000_000);
  expect((await settled('/measurements/swapped/files/0')).status).toBe(200);
  const stop = new AbortController();
  const swapping = (async () => {
    while (!stop.signal.aborted) {
      await writeFile(`${file}.new`, bytes);
      await utimes(`${file}.new`, 1_600_000_000, 1_600_000_000);
      await rename(`${file}.new`, file);
    }
  })();
  const wrong: string[] = [];
  for (let i = 0; i < 300; i += 1) {
    // A member of the archive is opened for each request.
    for (const [where, headers] of [
      ['/measurements/swapped/files/0', {}],
      ['/measurements/swapped', { range: 'bytes=100-199' }],
      ['/measurements/swapped/files/0', { range: 'bytes=5-' }],
    ] as const) {
      const answer = await alice.get(where, headers);
      const body = Buffer.from(await answer.arrayBuffer());
      // A file that changes during the check is reported as busy.
      if (answer.status !== 503 && !answer.ok) wrong.push(`${where} ${answer.status} ${body.toString()}`);
    }
  }
  stop.abort();
  await swapping;
  expect(wrong).toEqual([]);
  expect(await state('swapped')).toBe('available');
}, 60_000);
