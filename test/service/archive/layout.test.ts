import { crc32 } from '@node-rs/crc32';
import fc from 'fast-check';
import { hash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { beginLayout, type MemberShape } from '../../../src-main/service/archive/layout.ts';
import {
  directoryEntryLength,
  endRecords,
  localHeaderLength,
  writeDirectoryEntry,
  writeLocalHeader,
} from '../../../src-shared/archive/zip-format.ts';
import { mustRun, sevenZip } from '../run-program.ts';

interface Member extends MemberShape {
  readonly bytes: Buffer;
}

const registeredAt = Date.UTC(2026, 8, 1, 10, 20, 31, 123);

function member(name: string, bytes: Buffer, at = registeredAt): Member {
  return {
    path: name,
    length: bytes.length,
    crc32: crc32(bytes),
    sha256: hash('sha256', bytes, 'buffer'),
    registeredAt: at,
    bytes,
  };
}

/** An archive assembled from its parts, with the positions that its layout states. */
function build(members: readonly Member[]) {
  const layout = beginLayout();
  const placed = members.map((one) => layout.add(one));
  const shape = layout.finish();
  const parts: Buffer[] = [];
  for (const one of members) {
    const header = Buffer.alloc(localHeaderLength(one));
    if (writeLocalHeader(header, 0, one) !== header.length) throw new Error(`local header of ${one.path}`);
    parts.push(header, one.bytes);
  }
  let directoryLength = 0;
  for (const [i, one] of members.entries()) {
    const offset = placed[i]?.archiveOffset ?? -1;
    const entry = Buffer.alloc(directoryEntryLength(one, offset));
    if (writeDirectoryEntry(entry, 0, one, offset) !== entry.length || placed[i]?.directoryOffset !== directoryLength) {
      throw new Error(`directory entry of ${one.path}`);
    }
    directoryLength += entry.length;
    parts.push(entry);
  }
  parts.push(Buffer.from(endRecords(members.length, directoryLength, shape.directoryOffset)));
  return { bytes: Buffer.concat(parts), placed, shape };
}

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-layout-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const members = fc
  .uniqueArray(
    fc.tuple(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }), fc.uint8Array({ maxLength: 200 })),
    {
      selector: ([name]) => name,
      maxLength: 20,
    },
  )
  .map((list) => list.map(([name, bytes]) => member(name, Buffer.from(bytes))));

describe('the layout', () => {
  test('states the position of every byte', () => {
    fc.assert(
      fc.property(members, (list) => {
        const { bytes, placed, shape } = build(list);
        expect(bytes.length).toBe(shape.archiveBytes);
        for (const [i, one] of list.entries()) {
          const at = placed[i]?.archiveOffset ?? -1;
          expect(bytes.readUInt32LE(at)).toBe(0x04034b50);
          const data = at + localHeaderLength(one);
          expect(bytes.subarray(data, data + one.length).equals(one.bytes)).toBe(true);
          expect(bytes.readUInt32LE(shape.directoryOffset + (placed[i]?.directoryOffset ?? -1))).toBe(0x02014b50);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('of an empty measurement is the 22 bytes of an empty archive', () => {
    const { bytes, shape } = build([]);
    expect(bytes.toString('hex')).toBe(`504b0506${'00'.repeat(18)}`);
    expect(shape).toMatchObject({ archiveBytes: 22, directoryOffset: 0 });
  });

  test('has an entity tag that depends on every field of the manifest', () => {
    const base = [member('a', Buffer.from('1')), member('b', Buffer.from('2'))];
    const tag = (list: readonly MemberShape[]) => {
      const layout = beginLayout();
      for (const one of list) layout.add(one);
      return layout.finish().tag;
    };
    const [a, b] = base;
    if (!a || !b) throw new Error('two members');
    const variants: MemberShape[][] = [
      [a],
      [b, a],
      [{ ...a, path: 'c' }, b],
      [{ ...a, length: 2 }, b],
      [{ ...a, crc32: 0 }, b],
      [{ ...a, sha256: b.sha256 }, b],
      [{ ...a, registeredAt: registeredAt + 1 }, b],
    ];
    expect(new Set([tag(base), ...variants.map(tag)]).size).toBe(variants.length + 1);
    expect(tag(base)).toBe(tag(base));
    expect(tag(base)).toMatch(/^[0-9a-f]{64}$/);
  });

  test('is exact beyond four gigabytes and refuses lengths that numbers cannot represent', () => {
    const layout = beginLayout();
    const huge = { path: 'x', crc32: 0, sha256: Buffer.alloc(32), registeredAt };
    layout.add({ ...huge, length: 2 ** 52 });
    expect(layout.add({ ...huge, path: 'y', length: 1 }).archiveOffset).toBe(
      2 ** 52 + localHeaderLength({ ...huge, length: 2 ** 52 }),
    );
    expect(() => layout.add({ ...huge, path: 'z', length: 2 ** 52 })).toThrow(/2\^53/);
    expect(() => beginLayout().add({ ...huge, path: 'n'.repeat(65_536), length: 1 })).toThrow(/65,535/);
  });

  test('writes times in UTC in any time zone, and clamps those that DOS times cannot represent', () => {
    const times = (at: number) => {
      const header = Buffer.alloc(localHeaderLength({ path: 'a', length: 0 }));
      writeLocalHeader(header, 0, { path: 'a', length: 0, crc32: 0, registeredAt: at });
      return [header.readUInt16LE(12), header.readUInt16LE(10), header.readUInt32LE(header.length - 4)];
    };
    const { TZ } = process.env;
    try {
      for (const zone of ['UTC', 'Asia/Kathmandu', 'America/St_Johns']) {
        process.env['TZ'] = zone;
        expect(new Date(registeredAt).getTimezoneOffset() === 0, 'the zone is the one that was set').toBe(
          zone === 'UTC',
        );
        expect(times(registeredAt)).toEqual([
          ((2026 - 1980) << 9) | (9 << 5) | 1,
          (10 << 11) | (20 << 5) | 15,
          registeredAt / 1000 - 0.123,
        ]);
      }
    } finally {
      if (TZ === undefined) delete process.env['TZ'];
      else process.env['TZ'] = TZ;
    }
    expect(times(0)).toEqual([(1 << 5) | 1, 0, 0]);
    expect(times(Date.UTC(2200, 0))).toEqual([(127 << 9) | (12 << 5) | 31, (23 << 11) | (59 << 5) | 29, 0xffffffff]);
  });
});

describe('other programs', () => {
  test('find every member, its bytes and its time', async () => {
    const list = [
      member('empty', Buffer.alloc(0)),
      member('run 1/größe µm.csv', Buffer.from('a,b\n1,2\n')),
      member('run 1/\u65e5\u672c.bin', Buffer.alloc(70_000, 3)),
      member(`${'deep/'.repeat(40)}x`, Buffer.from('deep')),
    ];
    const file = path.join(dir, 'plain.zip');
    await writeFile(file, build(list).bytes);
    await mustRun('unzip', ['-tq', file]);
    await sevenZip(['t', file]);
    expect((await mustRun('bsdtar', ['-tf', file])).trim().split('\n').toSorted()).toEqual(
      list.map((one) => one.path).toSorted(),
    );
    const seen = await mustRun('python3', [
      '-c',
      `import zipfile,sys,hashlib,json
z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None
print(json.dumps([[i.filename,i.file_size,i.compress_type,i.flag_bits,i.create_version,i.extract_version,i.date_time[0],oct(i.external_attr>>16),hashlib.sha256(z.read(i)).hexdigest()] for i in z.infolist()]))`,
      file,
    ]);
    expect(JSON.parse(seen)).toEqual(
      list.map((one) => [one.path, one.length, 0, 0x800, 45, 20, 2026, '0o100644', one.sha256.toString('hex')]),
    );
  });

  test.each([65_534, 65_535, 65_536])('count %i entries', async (count) => {
    const empty = member('', Buffer.alloc(0));
    const list = Array.from({ length: count }, (_, i) => ({ ...empty, path: `f${i}` }));
    const { bytes, shape } = build(list);
    const zip64 = count >= 0xffff;
    expect(bytes.readUInt32LE(bytes.length - 22)).toBe(0x06054b50);
    expect(bytes.readUInt16LE(bytes.length - 12)).toBe(Math.min(count, 0xffff));
    expect(bytes.readUInt32LE(bytes.length - 42) === 0x07064b50).toBe(zip64);
    expect(shape.archiveBytes).toBe(bytes.length);
    const file = path.join(dir, `${count}.zip`);
    await writeFile(file, bytes);
    const python = await mustRun('python3', [
      '-c',
      'import zipfile,sys; z=zipfile.ZipFile(sys.argv[1]); print(len(z.infolist()), z.infolist()[-1].filename)',
      file,
    ]);
    expect(python.trim()).toBe(`${count} f${count - 1}`);
    expect(await mustRun('zipinfo', ['-h', file])).toContain(`number of entries: ${count}`);
    expect((await mustRun('bsdtar', ['-tf', file])).trim().split('\n')).toHaveLength(count);
    expect(await sevenZip(['l', file])).toContain(`${count} files`);
  });
});
