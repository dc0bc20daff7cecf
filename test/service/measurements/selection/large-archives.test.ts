import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { beginLayout, layoutVersion } from '../../../../src-main/service/archive/layout.ts';
import { parseSelection } from '../../../../src-main/service/files/file-ranges.ts';
import { changeSeen, openBeside } from '../../fixture-measurement.ts';
import { useTestService, useUser } from '../../use-service.ts';
import { tailOf } from './zip-reference.ts';

const service = useTestService();
const alice = useUser(service, 'alice');
const gibibyte = 2 ** 30;
const limit = 0xffff_ffff;
const registeredAt = Date.UTC(2026, 8, 1, 10, 20, 31);
const nothing = Buffer.alloc(32);

/** Adds rows of files that nobody reads, of any length. */
async function addRows(id: string, lengths: readonly number[]) {
  const layout = beginLayout();
  const files = lengths.map((length, at) => ({
    path: `f${String(at).padStart(3, '0')}`,
    length,
    crc32: at,
    registeredAt,
  }));
  const places = files.map((file) => layout.add({ ...file, sha256: nothing }));
  const { archiveBytes, directoryOffset, tag } = layout.finish();
  const database = openBeside(service);
  database
    .prepare(
      `INSERT INTO measurements (id, title, title_key, owner_id, storage, root, state, file_count, total_bytes, archive_layout, archive_bytes,
         archive_directory_offset, archive_tag, created_at, registered_at) VALUES (?, ?, ?, ?, 'reference', '/nowhere', 'available', ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      id,
      id,
      id,
      alice.id,
      files.length,
      0,
      layoutVersion,
      archiveBytes,
      directoryOffset,
      tag,
      registeredAt,
      registeredAt,
    );
  const insert = database.prepare(
    `INSERT INTO measurement_files (measurement_id, idx, path, location, length, crc32, sha256, mtime_ns, ctime_ns, registered_at, archive_offset, directory_offset)
     VALUES (?, ?, ?, ?, ?, ?, ?, '0', NULL, ?, ?, ?)`,
  );
  for (const [at, { path, length, crc32 }] of files.entries()) {
    const { archiveOffset, directoryOffset: entry } = places[at] ?? { archiveOffset: 0, directoryOffset: 0 };
    insert.run(id, at, path, path, length, crc32, nothing, registeredAt, archiveOffset, entry);
  }
  database.close();
  await changeSeen(service);
  return files;
}

/** Lengths that cross the limits of ZIP in every way, some to the byte. */
const series = {
  mixed: [
    10,
    3 * gibibyte,
    0,
    900,
    gibibyte,
    5,
    6,
    5 * gibibyte,
    7,
    8,
    limit,
    limit - 1,
    0,
    3 * gibibyte,
    3 * gibibyte,
    1,
    2,
  ],
  exact: [limit - 2 * 43, 0, 0, 0, limit - 43, 0, 1, 2 * gibibyte, 2 * gibibyte, 3],
  small: [1, 2, 3, 4, 5, 6],
  long: Array.from({ length: 60 }, (_, at) => (at % 7) * gibibyte * 0.75),
};

describe.each(Object.entries(series))('the archive of some of the files of %s lengths', (id, lengths) => {
  let files: Awaited<ReturnType<typeof addRows>>;
  beforeAll(async () => {
    files = await addRows(id, lengths);
  });

  test('has the length and the directory of an archive of these files alone, at any position', async () => {
    const some = fc.subarray(
      lengths.map((_, at) => at),
      { minLength: 1 },
    );
    await fc.assert(
      fc.asyncProperty(some, fc.nat(), fc.nat(), async (indexes, from, more) => {
        const { at, tail } = tailOf(files.filter((_, index) => indexes.includes(index)));
        const url = `/measurements/${id}/archive?files=${indexes.join(',')}`;
        const head = await alice.get(url, { range: `bytes=${at}-` });
        expect(head.status).toBe(206);
        expect(head.headers.get('content-range')).toBe(`bytes ${at}-${at + tail.length - 1}/${at + tail.length}`);
        expect(Buffer.from(await head.arrayBuffer()).equals(tail)).toBe(true);
        const start = from % tail.length;
        const end = Math.min(start + 1 + (more % 200), tail.length);
        const part = await alice.get(url, { range: `bytes=${at + start}-${at + end - 1}` });
        expect(Buffer.from(await part.arrayBuffer()).equals(tail.subarray(start, end))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test('of all files is that of the measurement', async () => {
    const { text } = parseSelection('0-', lengths.length);
    const [all, whole] = await Promise.all(
      [`/archive?files=${text}`, ''].map(async (end) =>
        fetch(`${service.url}/measurements/${id}${end}`, {
          method: 'HEAD',
          headers: { authorization: `Bearer ${alice.token}` },
        }),
      ),
    );
    expect(all?.headers.get('content-length')).toBe(whole?.headers.get('content-length'));
    expect(all?.headers.get('etag')).toBe(whole?.headers.get('etag'));
  });
});
