import { expect, test } from 'vitest';
import { S3Storage } from '../../../src-main/service/object-storage/s3-storage.ts';
import { begun, expectAvailable, mebibyte, parts } from '../measurements/uploads/direct-world.ts';
import { manifestOf } from '../measurements/uploads/manifest-support.ts';
import { uploadsBy } from '../measurements/uploads/manifest-support.ts';
import { findProgram, makers, startReal } from '../object-storage/real-storages.ts';
import { startPair } from './direct-pair.ts';

const [maker] = makers;
const program = maker ? await findProgram(maker, true) : null;
if (maker && program !== null)
  test(`in ${maker.name}: killed again and again while bytes come, an upload becomes the measurement`, async () => {
    const storage = await startReal(maker, program);
    const pair = await startPair(storage.settings);
    const client = new S3Storage(storage.settings);
    try {
      const { lasting, token } = pair;
      const { body, archive } = manifestOf('killed', parts);
      let from = 0;
      const { pathname } = new URL(await begun(uploadsBy(lasting.url, token), body));
      for (let round = 0; round < 2; round += 1) {
        const mortal = await pair.mortal();
        const own = uploadsBy(mortal.url, token);
        from = await own.offset(mortal.url + pathname);
        // One piece is confirmed, and another is under way.
        const end = Math.min(archive.length - 1, from + 3 * mebibyte);
        const sent = await own.patch(mortal.url + pathname, from, archive.subarray(from, end));
        expect(sent.status).toBe(204);
        const sending = own.patch(mortal.url + pathname, end, archive.subarray(end, end + 3 * mebibyte));
        await new Promise((resolve) => setTimeout(resolve, 50 * round));
        await Promise.all([mortal.signal('SIGKILL'), sending.catch(() => null)]);
        const kept = await uploadsBy(lasting.url, token).offset(lasting.url + pathname);
        expect(kept).toBeGreaterThanOrEqual(end);
      }
      const last = uploadsBy(lasting.url, token);
      await expect
        .poll(
          async () => {
            const offset = await last.offset(lasting.url + pathname);
            if (offset < archive.length)
              await last.patch(lasting.url + pathname, offset, archive.subarray(offset)).catch(() => null);
            return last.offset(lasting.url + pathname);
          },
          { timeout: 60_000, interval: 500 },
        )
        .toBe(archive.length);
      await expectAvailable(last, 'killed', archive, parts);
      const { signal } = new AbortController();
      await expect.poll(async () => client.list('uploads/', '', 10, signal)).toEqual([]);
    } finally {
      client.close();
      await pair.end();
      await storage.stop();
    }
  }, 300_000);
