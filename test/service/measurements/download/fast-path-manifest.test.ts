import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { markHeadSent } from '../../../../src-main/service/measurements/content/raw-response.ts';
import { kernelCalls, type KernelCalls } from '../../../../src-main/service/measurements/storage/kernel-calls.ts';
import { freezeManifest } from '../../../../src-main/service/measurements/catalogue/manifest.ts';
import { addMeasurement, openBeside } from '../../fixture-measurement.ts';
import { startTestService, type TestService } from '../../start.ts';
import { lines, raw, shape } from './fast-path-range-world.ts';
import { RawClient } from '../../raw-client.ts';
import { until } from '../../until.ts';

const begun = vi.hoisted(() => ({ count: 0 }));
// Responses of both paths are equal, so the test counts the heads of the fast path.
vi.mock('../../../../src-main/service/measurements/content/raw-response.ts', async (importOriginal) => {
  const real = await importOriginal<{
    endWithRawHead: (...all: Parameters<typeof markHeadSent>) => void;
    markHeadSent: typeof markHeadSent;
  }>();
  const counted =
    <T extends readonly unknown[]>(make: (...all: T) => void) =>
    (...all: T) => {
      begun.count += 1;
      make(...all);
    };
  return { endWithRawHead: counted(real.endWithRawHead), markHeadSent: counted(real.markHeadSent) };
});

const here = kernelCalls();
const real = here ?? ({} as KernelCalls);
let state = 1;
const some = (count: number) => (state = (state * 48_271) % 2_147_483_647) % (count + 1);
/** A socket that is nearly full takes a few bytes. */
const stingy: KernelCalls = {
  ...real,
  send: (socket, from, start, end, more) => real.send(socket, from, start, start + some(end - start), more),
  sendFile: (socket, file, position, count) => real.sendFile(socket, file, position, some(count)),
};

// Not every file system can say what is in memory; one that is in memory itself cannot, and then every answer goes the ordinary way.
function saysWhatIsCached(): boolean {
  const probe = path.join(mkdtempSync('/var/tmp/benchport-probe-'), 'a');
  writeFileSync(probe, 'a');
  const fd = openSync(probe, 'r');
  const says = real.readCached(fd, Buffer.alloc(1), 0, 1, 0) === 1;
  closeSync(fd);
  rmSync(path.dirname(probe), { recursive: true });
  return says;
}

describe.skipIf(!here || !saysWhatIsCached()).each([
  ['a socket that takes all', real],
  ['a socket that is nearly full', stingy],
])('a manifest, with %s', (_what, calls) => {
  const usual = process.env['TMPDIR'];
  let service: TestService;
  let token: string;
  let file: string;
  const url = '/measurements/m/files';
  const one = (...headers: readonly string[]) =>
    raw(service.url, lines(url, [`Authorization: Bearer ${token}`, ...headers]));
  const openManifests = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`) === file;
      } catch {
        return false;
      }
    }).length;

  beforeAll(async () => {
    process.env['TMPDIR'] = '/var/tmp';
    service = await startTestService({ kernelCalls: calls });
    const alice = await service.user('alice');
    token = await service.token(alice);
    const files = Array.from({ length: 40 }, (_, i) => ({ path: `${i}.bin`, bytes: Buffer.from([i]) }));
    await addMeasurement(service, alice, 'm', files);
    ({ file } = await freezeManifest(service.services, 'm', ''));
    await until(async () => {
      await one();
      return begun.count > 0;
    }, 'everything at hand');
  });
  afterAll(async () => {
    await service.end();
    if (usual === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = usual;
  });
  beforeEach(() => {
    begun.count = 0;
  });

  test('has the head and the bytes of the ordinary path, and a row in the audit trail', async () => {
    const fast = await one('User-Agent: quick', 'Accept-Encoding: identity');
    expect(begun.count).toBe(1);
    const ordinary = await one('X-Unknown: 1');
    expect(begun.count).toBe(1);
    expect([fast.status, shape(fast.head)]).toEqual([200, shape(ordinary.head)]);
    expect(fast.body.equals(ordinary.body)).toBe(true);
    const beside = openBeside(service);
    const row = beside.prepare(
      `SELECT what, file_index, status, bytes_sent, outcome FROM transfers WHERE user_agent_id = (SELECT id FROM user_agents WHERE text = 'quick') AND outcome IS NOT NULL`,
    );
    await until(() => row.get() !== undefined, 'the row');
    expect(row.get()).toEqual({
      what: 'manifest',
      file_index: null,
      status: 200,
      bytes_sent: fast.body.length,
      outcome: 'complete',
    });
    beside.close();
  });

  test.each(['Accept-Encoding: gzip', 'Range: bytes=0-9', 'If-None-Match: "x"'])(
    'goes the ordinary way with %s',
    async (header) => {
      expect((await one(header)).status).toBe(200);
      expect(begun.count).toBe(0);
    },
  );

  test('that was evicted takes the ordinary path, which reads or rebuilds it', async () => {
    const before = await one();
    rmSync(file);
    begun.count = 0;
    expect((await one()).body.equals(before.body)).toBe(true);
    expect(begun.count).toBe(0);
    writeFileSync(file, before.body);
  });

  test('that is longer than a socket takes arrives whole; who leaves in the middle is let go', async () => {
    const long = randomBytes(7 * 1024 * 1024);
    writeFileSync(file, long);
    expect((await one()).body.equals(long)).toBe(true);
    expect(begun.count).toBe(1);
    const client = await RawClient.open(service.url);
    client.socket.pause();
    client.socket.write(lines(url, [`Authorization: Bearer ${token}`, 'User-Agent: leaver']), 'latin1');
    await until(() => begun.count === 2, 'the head');
    client.socket.destroy();
    const beside = openBeside(service);
    const row = beside
      .prepare<[], string>(
        `SELECT outcome FROM transfers WHERE user_agent_id = (SELECT id FROM user_agents WHERE text = 'leaver') AND outcome IS NOT NULL`,
      )
      .pluck();
    await until(() => row.get() !== undefined, 'the row');
    expect(row.get()).toBe('client-closed');
    beside.close();
    await until(() => openManifests() === 0, 'the file to be closed');
  });
});
