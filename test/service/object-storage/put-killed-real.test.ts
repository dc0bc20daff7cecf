import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { partListIn, textsIn } from '../../../src-main/service/object-storage/s3-answers.ts';
import { S3Client, s3Timeouts } from '../../../src-main/service/object-storage/s3-client.ts';
import { S3Storage } from '../../../src-main/service/object-storage/s3-storage.ts';
import { content, length, partBytes, putInProcess } from './put-in-process.ts';
import { findProgram, makers, startReal } from './real-storages.ts';

const { signal } = new AbortController();
const [versitygw] = makers;
const program = versitygw ? await findProgram(versitygw, true) : null;
if (versitygw && program !== null)
  test('a put into versitygw that is killed at any part goes on', async () => {
    const real = await startReal(versitygw, program);
    const storage = new S3Storage(real.settings);
    try {
      for (const [part, delayMs] of [0, 1].flatMap((at) => [0, 15, 60].map((ms) => [at, ms] as const))) {
        const key = `measurements/ab/${part}-${delayMs}.zip`;
        const killed = putInProcess(real.settings, key);
        killed.onLine = (line) => {
          if (line === `part ${part * partBytes}`) void wait(delayMs).then(killed.kill);
        };
        await killed.ended;
        expect(await putInProcess(real.settings, key).ended).toBe(true);
        const bytes = Buffer.alloc(length);
        await storage.read(key, 0, bytes, signal);
        expect(bytes.equals(content)).toBe(true);
      }
    } finally {
      storage.close();
      await real.stop();
    }
  });

if (versitygw && program !== null)
  test('versitygw lists the parts that were sent, and none once they are ended', async () => {
    const real = await startReal(versitygw, program);
    const [storage, client] = [new S3Storage(real.settings), new S3Client(real.settings, s3Timeouts)];
    const key = 'measurements/ab/run.zip';
    const uploads = async (): Promise<readonly string[]> => {
      const query = { uploads: '', prefix: `${real.settings.prefix}${key}` };
      return textsIn(await client.send({ method: 'GET', key: '', query }, signal), 'UploadId');
    };
    try {
      const fill = async (_part: Buffer, at: number): Promise<void> => {
        if (at === partBytes) throw new Error('interrupted');
      };
      await expect(storage.put(key, length, fill, signal)).rejects.toThrow('interrupted');
      const [uploadId = ''] = await uploads();
      const parts = await client.send({ method: 'GET', key, query: { uploadId } }, signal);
      expect(partListIn(parts)).toMatchObject({ parts: [{ number: 1, length: partBytes }] });
      await storage.endUploads(key, signal);
      expect(await uploads()).toEqual([]);
    } finally {
      client.close();
      storage.close();
      await real.stop();
    }
  });
