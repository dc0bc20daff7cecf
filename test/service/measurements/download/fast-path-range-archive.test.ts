import { rename, stat, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { endWithRawHead } from '../../../../src-main/service/measurements/content/raw-response.ts';
import { addMeasurement, openBeside, type Fixture } from '../../fixture-measurement.ts';
import { useTestService, useUser } from '../../use-service.ts';
import { bytes, lines, raw, shape } from './fast-path-range-world.ts';
import { until } from '../../until.ts';

// Responses of both paths are equal, so the test counts the last step of the fast path.
vi.mock('../../../../src-main/service/measurements/content/raw-response.ts', async (importOriginal) => {
  const real = await importOriginal<{ endWithRawHead: typeof endWithRawHead }>();
  return { endWithRawHead: vi.fn(real.endWithRawHead) };
});
const quick = vi.mocked(endWithRawHead);

const service = useTestService();
const alice = useUser(service, 'alice');
let number = 0;

beforeEach(() => void quick.mockClear());

const one = (url: string, ...headers: readonly string[]) => raw(service.url, lines(url, headers));
const bearer = () => `Authorization: Bearer ${alice.token}`;

describe('a small range of an archive', () => {
  /** Files whose lengths are given, asked for once as an archive. */
  async function archive(...lengths: readonly number[]): Promise<Fixture & { readonly url: string }> {
    number += 1;
    const files = lengths.map((size, i) => ({
      path: `${String(i).padStart(4, '0')}.bin`,
      bytes: bytes.subarray(i, i + size),
    }));
    const fixture = await addMeasurement(service, alice.id, `z${number}`, files);
    const url = `/measurements/z${number}`;
    // A file written in the same tick of the clock may change unnoticed, so the ordinary path checks it.
    await new Promise((resolve) => setTimeout(resolve, 30));
    await until(async () => {
      await one(url, 'Range: bytes=0-9', bearer());
      return quick.mock.calls.length > 0;
    }, 'everything at hand');
    quick.mockClear();
    return { ...fixture, url };
  }

  test.each([
    ['equal members', Array.from({ length: 60 }, () => 10_000)],
    ['unequal members', Array.from({ length: 60 }, (_, i) => (i * 7919) % 20_000)],
    ['few members', [100_000]],
    ['empty members', [0, 0, 5, 0]],
  ])('of %s: has the head and the bytes of the ordinary path', async (_what, lengths) => {
    const { url, id } = await archive(...lengths);
    const total = (await service.services.measurements.byId(id))?.archive_directory_offset ?? 0;
    const places = [0, 1, 29, 30, 10_000, 10_040, 65_000, Math.floor(total / 2), total - 40_000, total - 1].filter(
      (at) => at >= 0 && at < total,
    );
    for (const first of places) {
      for (const count of [1, 40, 30_000]) {
        const range = `Range: bytes=${first}-${Math.min(first + count, total) - 1}`;
        quick.mockClear();
        const fast = await one(url, range, bearer());
        expect(quick).toHaveBeenCalledTimes(1);
        const ordinary = await one(url, range, bearer(), 'X-Unknown: 1');
        expect(quick).toHaveBeenCalledTimes(1);
        expect([fast.status, shape(fast.head)]).toEqual([206, shape(ordinary.head)]);
        expect(fast.body.equals(ordinary.body)).toBe(true);
      }
    }
  });

  test('with a part of the directory, or of very many members, takes the ordinary path', async () => {
    const { url, archiveBytes } = await archive(...Array.from({ length: 200 }, () => 3));
    const answer = await one(url, `Range: bytes=0-${archiveBytes - 1}`, bearer());
    expect([answer.status, answer.body.length]).toEqual([206, archiveBytes]);
    expect((await one(url, 'Range: bytes=0-5999', bearer())).body.length).toBe(6000);
    expect(quick).not.toHaveBeenCalled();
  });

  test('has its row in the audit trail', async () => {
    const { url, id } = await archive(1000, 1000);
    await one(url, 'Range: bytes=100-1299', bearer(), 'User-Agent: reader/1.0');
    expect(quick).toHaveBeenCalledTimes(1);
    const beside = openBeside(service);
    const row = beside.prepare(
      'SELECT what, file_index, bytes_sent, outcome FROM transfers WHERE measurement_id = ? AND range = ?',
    );
    await until(() => row.get(id, 'bytes=100-1299') !== undefined, 'the row');
    expect(row.get(id, 'bytes=100-1299')).toEqual({
      what: 'archive',
      file_index: null,
      bytes_sent: 1200,
      outcome: 'complete',
    });
    beside.close();
  });

  test.each<[string, number, (file: string) => Promise<unknown>]>([
    ['removed', 404, (file) => unlink(file)],
    ['put behind a link', 409, (file) => rename(file, `${file}.away`).then(() => symlink(`${file}.away`, file))],
  ])('is refused with the next request when a member is %s', async (_how, status, change) => {
    const { url, root } = await archive(1000, 1000, 1000);
    await change(path.join(root, '0001.bin'));
    expect((await one(url, 'Range: bytes=0-99', bearer())).status).toBe(206);
    expect(quick).toHaveBeenCalledTimes(1);
    expect((await one(url, 'Range: bytes=1500-1599', bearer())).status).toBe(status);
    expect(quick).toHaveBeenCalledTimes(1);
  });

  test('is not sent when a whole member no longer has its checksum', async () => {
    const { url, root } = await archive(1000, 1000, 1000);
    const file = path.join(root, '0001.bin');
    const { atimeNs, mtimeNs } = await stat(file, { bigint: true });
    await writeFile(file, Buffer.alloc(1000, 9));
    const seconds = Number(mtimeNs / 1_000_000_000n);
    await utimes(file, Number(atimeNs / 1_000_000_000n), seconds);
    const beside = openBeside(service);
    beside
      .prepare('UPDATE measurement_files SET mtime_ns = ? WHERE measurement_id = ? AND idx = 1')
      .run(`${seconds}000000000`, url.split('/')[2]);
    beside.close();
    expect((await one(url, 'Range: bytes=900-2900', bearer())).status).toBe(409);
    expect(quick).not.toHaveBeenCalled();
  });
});
