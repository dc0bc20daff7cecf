import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { ServiceConfig } from '../../../../src-main/service/config/config.ts';
import type { S3Settings } from '../../../../src-main/service/object-storage/s3-settings.ts';
import { startTestService, type TestService } from '../../start.ts';
import { makeZip } from '../uploads/support.ts';

const mebibyte = 1024 * 1024;

/** Files with block borders within, at and around them. */
export const contents: Readonly<Record<string, Buffer>> = {
  'a/notes.txt': Buffer.from('measured on the bench\n'),
  'b/empty.bin': Buffer.alloc(0),
  'b/large.bin': randomBytes(21 * mebibyte + 12_345),
  ...Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`c/small-${String(at).padStart(2, '0')}`, randomBytes(3000 + at)]),
  ),
};
export const names = Object.keys(contents).toSorted();

export interface ObjectsWorld {
  readonly service: TestService;
  readonly alice: number;
  readonly token: string;
  /** Uploads a ZIP of the contents. @returns the answer, which comes when the measurement is available. */
  upload(id: string, files?: Readonly<Record<string, Buffer>>): Promise<Response>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  end(): Promise<void>;
}

/** A service that keeps archives in an object storage. */
export async function startObjectsWorld(
  objectStorage: S3Settings,
  config: Partial<ServiceConfig> = {},
): Promise<ObjectsWorld> {
  const service = await startTestService({ objectStorage, ...config });
  const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-objects-'));
  const alice = await service.user('alice');
  const token = await service.token(alice, ['read_measurement', 'write_measurement', 'api']);
  return {
    service,
    alice,
    token,
    upload: async (id, files = contents) => {
      const zip = await makeZip(path.join(dir, `${id}.zip`), files);
      const url = `${service.url}/api/v4/measurements/${id}/archive`;
      const headers = { authorization: `Bearer ${token}` };
      return fetch(url, { method: 'PUT', headers, body: await readFile(zip) });
    },
    get: (url, headers = {}) =>
      fetch(service.url + url, {
        headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'identity', ...headers },
      }),
    end: async () => {
      await service.end();
      await rm(dir, { recursive: true });
    },
  };
}

export async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

/** A world beside what else it needs, which ends after it. */
export function joined<More>(world: ObjectsWorld, more: More, end: () => Promise<unknown>): ObjectsWorld & More {
  return {
    ...world,
    ...more,
    end: async () => {
      await world.end();
      await end();
    },
  };
}
