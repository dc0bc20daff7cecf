import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Upload as TusUpload } from 'tus-js-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { S3Storage } from '../../../../src-main/service/object-storage/s3-storage.ts';
import { buildZip } from '../../measurements/registration/zip-builder.ts';
import { findProgram, makers, startReal, type RealStorage } from '../../object-storage/real-storages.ts';
import { mustRun } from '../../run-program.ts';
import { BodyClient, bodyFiles, startFacility, type Facility } from './bodies-world.ts';

const [maker] = makers;
const program = maker ? await findProgram(maker, true) : null;
if (maker && program !== null)
  describe(`a facility whose only storage is ${maker.name}`, () => {
    let dir: string;
    let zip: string;
    let storage: RealStorage;
    let facility: Facility;
    let client: BodyClient;
    beforeAll(async () => {
      dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-bodies-'));
      zip = path.join(dir, 'run.zip');
      await writeFile(zip, buildZip(Object.entries(bodyFiles).map(([name, data]) => ({ name, data, deflate: true }))));
      storage = await startReal(maker, program);
      facility = await startFacility(storage.settings);
      client = new BodyClient(facility.token);
    }, 240_000);
    afterAll(async () => {
      await facility.end();
      await storage.stop();
      await rm(dir, { recursive: true });
    });

    async function expectNothingLeft(): Promise<void> {
      const bucket = new S3Storage(storage.settings);
      try {
        const { signal } = new AbortController();
        await expect.poll(async () => bucket.list('uploads/', '', 10, signal), { timeout: 15_000 }).toEqual([]);
      } finally {
        bucket.close();
      }
    }

    test.each([
      ['with its length', []],
      ['without a length', ['-H', 'Transfer-Encoding: chunked']],
    ])('takes an archive of curl -T %s', async (what, more) => {
      const id = what.replaceAll(' ', '-');
      const url = `${facility.first.url}/api/v4/measurements/${id}/archive`;
      const format = ['-o', '/dev/null', '-w', '%{http_code}', '-H', `Authorization: Bearer ${facility.token}`];
      // On a busy machine it takes longer than a request waits.
      expect(['201', '202']).toContain(await mustRun('curl', ['-sS', '-T', zip, ...format, ...more, url]));
      await client.expectFiles(facility.second, id, bodyFiles);
      await expectNothingLeft();
    });

    test('takes an archive of tus-js-client, which knows one replica and goes on at the other', async () => {
      const bytes = await readFile(zip);
      const options = {
        headers: { authorization: `Bearer ${facility.token}` },
        metadata: { id: 'tus-js', filename: 'run.zip' },
        chunkSize: 5_000_000,
        retryDelays: null,
      };
      const address = await new Promise<string>((resolve, reject) => {
        const upload = new TusUpload(bytes, {
          ...options,
          endpoint: `${facility.first.url}/api/v4/measurements/uploads`,
          onChunkComplete: () => void upload.abort().then(() => resolve(upload.url ?? ''), reject),
          onError: reject,
        });
        upload.start();
      });
      await new Promise<void>((resolve, reject) => {
        const uploadUrl = facility.second.url + new URL(address).pathname;
        new TusUpload(bytes, { ...options, uploadUrl, onSuccess: () => resolve(), onError: reject }).start();
      });
      await client.expectFiles(facility.first, 'tus-js', bodyFiles);
      await expectNothingLeft();
    });

    test.each<[string, () => Promise<void>]>([
      [
        'hangs for four seconds',
        async () => {
          storage.hang(true);
          await wait(4000);
          storage.hang(false);
        },
      ],
      ['is killed and started again', async () => storage.restart()],
    ])('waits for it when it %s while an archive is unpacked', async (what, fail) => {
      const id = what.replaceAll(' ', '-');
      const bytes = await readFile(zip);
      const address = await client.create(facility.first, id, 'run.zip', bytes.length);
      expect((await client.patch(facility.second, address, 0, bytes)).status).toBe(204);
      await wait(100);
      await fail();
      await client.expectFiles(facility.first, id, bodyFiles);
      await expectNothingLeft();
    });
  });
