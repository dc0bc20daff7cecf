import { rename, stat, truncate, unlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { endWithRawHead } from '../../../../src-main/service/measurements/content/raw-response.ts';
import { addMeasurement, openBeside } from '../../fixture-measurement.ts';
import { startTestService, type TestService } from '../../start.ts';
import { bytes, lines, raw, shape } from './fast-path-range-world.ts';
import { until } from '../../until.ts';

// Responses of both paths are equal, so the test counts the last step of the fast path.
vi.mock('../../../../src-main/service/measurements/content/raw-response.ts', async (importOriginal) => {
  const real = await importOriginal<{ endWithRawHead: typeof endWithRawHead }>();
  return { endWithRawHead: vi.fn(real.endWithRawHead) };
});
const quick = vi.mocked(endWithRawHead);

const small = 64 * 1024;

describe.each([
  ['past Node where the system can', {}],
  ['through Node', { kernelCalls: null }],
])('a small whole file, %s', (_how, options) => {
  let service: TestService;
  let alice: number;
  let token: string;
  let number = 0;

  beforeAll(async () => {
    service = await startTestService(options);
    alice = await service.user('alice');
    token = await service.token(alice);
  });
  afterAll(() => service.end());
  beforeEach(() => void quick.mockClear());

  const bearer = () => `Authorization: Bearer ${token}`;
  const one = (url: string, ...headers: readonly string[]) => raw(service.url, lines(url, headers));

  /** Files of these lengths, none of them asked for but the first. */
  async function files(
    ...lengths: readonly number[]
  ): Promise<{ readonly id: string; readonly root: string; readonly at: (index: number) => string }> {
    number += 1;
    const id = `w${number}`;
    const first = { path: '0.bin', bytes: bytes.subarray(0, 10) };
    const { root } = await addMeasurement(service, alice, id, [
      first,
      ...lengths.map((size, i) => ({ path: `${i + 1}.bin`, bytes: bytes.subarray(i, i + size) })),
    ]);
    const at = (index: number) => `/measurements/${id}/files/${index}`;
    await until(async () => {
      await one(at(0), bearer());
      return quick.mock.calls.length > 0;
    }, 'everything at hand');
    quick.mockClear();
    return { id, root, at };
  }

  test('that is not open yet has the head and the bytes of the ordinary path', async () => {
    const lengths = [1, 16_384, small];
    const { at } = await files(...lengths);
    for (const [i, size] of lengths.entries()) {
      quick.mockClear();
      const fast = await one(at(i + 1), bearer(), 'User-Agent: test', 'Accept: */*', 'Want-Digest: SHA-256;q=1');
      expect(quick).toHaveBeenCalledTimes(1);
      const ordinary = await one(at(i + 1), bearer(), 'User-Agent: test', 'X-Unknown: 1');
      // It is open now.
      const again = await one(at(i + 1), bearer());
      expect(quick).toHaveBeenCalledTimes(2);
      for (const answer of [fast, again]) {
        expect([answer.status, shape(answer.head)]).toEqual([200, shape(ordinary.head)]);
        expect(answer.body.equals(ordinary.body) && answer.body.equals(bytes.subarray(i, i + size))).toBe(true);
      }
    }
  });

  test('has its row in the audit trail', async () => {
    const { id, at } = await files(5000);
    await one(at(1), bearer(), 'User-Agent: reader/1.0');
    expect(quick).toHaveBeenCalledTimes(1);
    const beside = openBeside(service);
    const row = beside.prepare(
      'SELECT user_id, what, range, status, bytes_sent, outcome, text AS user_agent FROM transfers JOIN user_agents ON user_agents.id = user_agent_id WHERE measurement_id = ? AND file_index = 1',
    );
    await until(() => row.get(id) !== undefined, 'the row');
    const expected = {
      user_id: alice,
      what: 'file',
      range: null,
      status: 200,
      bytes_sent: 5000,
      outcome: 'complete',
      user_agent: 'reader/1.0',
    };
    expect(row.all(id)).toEqual([expected]);
    beside.close();
  });

  test.each<[string, number, string, (file: string) => Promise<unknown>]>([
    ['truncated', 409, 'altered', (file) => truncate(file, 9)],
    ['removed', 404, 'missing', (file) => unlink(file)],
  ])('is refused and marked when it was %s', async (_what, status, state, change) => {
    const { id, root, at } = await files(1000);
    await change(path.join(root, '1.bin'));
    expect((await one(at(1), bearer())).status).toBe(status);
    expect(quick).not.toHaveBeenCalled();
    expect((await service.services.files.at(id, 1))?.state).toBe(state);
  });

  test('is refused and marked when it no longer has its checksum', async () => {
    const { id, root, at } = await files(1000);
    const file = path.join(root, '1.bin');
    await writeFile(`${file}.new`, Buffer.alloc(1000, 9));
    // Whole seconds are what utimes takes exactly; the registration knows nanoseconds, so the row is brought to them.
    const seconds = (await stat(file, { bigint: true })).mtimeNs / 1_000_000_000n;
    await utimes(`${file}.new`, Number(seconds), Number(seconds));
    const beside = openBeside(service);
    beside
      .prepare('UPDATE measurement_files SET mtime_ns = ? WHERE measurement_id = ? AND idx = 1')
      .run(`${seconds}000000000`, id);
    beside.close();
    await rename(`${file}.new`, file);
    expect((await one(at(1), bearer())).status).toBe(409);
    expect(quick).not.toHaveBeenCalled();
    expect(await service.services.files.at(id, 1)).toMatchObject({
      state: 'altered',
      problem: 'its content no longer has the registered checksum',
    });
  });

  test('is refused as long as it is marked, whatever lies there', async () => {
    const { id, at } = await files(1000);
    await service.services.files.recordChecks(id, [
      { index: 1, state: 'altered', problem: 'it was another one', at: Date.now() },
    ]);
    expect((await one(at(1), bearer())).status).toBe(409);
    expect(quick).not.toHaveBeenCalled();
  });

  test.each<[string, number, number, readonly string[]]>([
    ['that the client has already', 304, 1000, ['If-None-Match: *']],
    ['with If-Range and no range', 200, 1000, ['If-Range: "other"']],
    ['that is empty', 200, 0, []],
    ['longer than a small buffer', 200, small + 1, []],
  ])('%s takes the ordinary path', async (_what, status, size, headers) => {
    const { at } = await files(size);
    const answer = await one(at(1), bearer(), ...headers);
    expect([answer.status, answer.body.length]).toEqual([status, status === 304 ? 0 : size]);
    expect(quick).not.toHaveBeenCalled();
  });

  test('is refused with the next request when the token is revoked', async () => {
    const { at } = await files(1000);
    const mallory = await service.user(`mallory${number}`, true);
    const hers = await service.token(mallory);
    await until(async () => {
      await one(at(0), `Authorization: Bearer ${hers}`);
      return quick.mock.calls.length > 0;
    }, 'her token at hand');
    quick.mockClear();
    await service.services.tokens.revoke((await service.services.tokens.ofUser(mallory))[0]?.id ?? 0);
    service.services.changes.bump();
    expect((await one(at(1), `Authorization: Bearer ${hers}`)).status).toBe(401);
    expect(quick).not.toHaveBeenCalled();
  });
});
