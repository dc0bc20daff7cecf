import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import type { S3Settings } from '../../../../src-main/service/object-storage/s3-settings.ts';
import type { TestService } from '../../start.ts';
import { filesBelow } from '../../measurements/uploads/direct-world.ts';
import { startStandIn, type StandIn } from '../../object-storage/stand-in.ts';
import { replicasOfTest, type Replicas } from '../replicas-of-test.ts';

const mebibyte = 1024 * 1024;

/** Files of an archive, one of which takes several parts of its upload. */
export const bodyFiles: Readonly<Record<string, Buffer>> = {
  'z/large.bin': randomBytes(19 * mebibyte + 11),
  'b/empty.txt': Buffer.alloc(0),
  'a/packed.csv': Buffer.from('1.5;2.5;3.5\n'.repeat(600_000)),
  ...Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [`m/${(at * 7919) % 300}.txt`, randomBytes(50 + (at % 40) * 1000)]),
  ),
  'käse.txt': Buffer.from('Käse\n'),
};

/** Two replicas with an object storage and without a folder that they share. */
export interface Facility {
  readonly replicas: Replicas;
  readonly first: TestService;
  readonly second: TestService;
  readonly alice: number;
  readonly token: string;
  end(): Promise<void>;
}

export interface BodiesWorld extends Facility {
  readonly standIn: StandIn;
}

export async function startFacility(objectStorage: S3Settings): Promise<Facility> {
  const replicas = await replicasOfTest({ library: false });
  const first = await replicas.start({ objectStorage });
  const second = await replicas.start({ objectStorage });
  const alice = await first.user('alice');
  const token = await first.token(alice, ['read_measurement', 'write_measurement', 'api']);
  return { replicas, first, second, alice, token, end: async () => replicas.end() };
}

export async function startBodiesWorld(): Promise<BodiesWorld> {
  const standIn = await startStandIn();
  const facility = await startFacility(standIn.settings);
  return {
    ...facility,
    standIn,
    end: async () => {
      await facility.end();
      await standIn.close();
    },
  };
}

interface BodyRequest extends RequestInit {
  readonly headers?: Readonly<Record<string, string>>;
  readonly duplex?: 'half';
}

/** How an upload ended. */
interface Settled {
  readonly state: string;
  readonly problem: string | null;
}

/** A client of uploads without a manifest, for any of the replicas. */
export class BodyClient {
  readonly #token: string;

  constructor(token: string) {
    this.#token = token;
  }

  async fetched(url: string, options: BodyRequest = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${this.#token}`, 'tus-resumable': '1.0.0', ...options.headers };
    return fetch(url, { ...options, headers });
  }

  /** As `curl -T`. @returns what becomes of it. */
  async put(replica: TestService, id: string, body: Buffer): Promise<Settled> {
    return this.#put(replica, id, { body: new Uint8Array(body) });
  }

  /** As `curl -T -` from a pipe, without a length. */
  async putStream(replica: TestService, id: string, file: string): Promise<Settled> {
    const body = createReadStream(file) as unknown as BodyInit;
    return this.#put(replica, id, { body, duplex: 'half' });
  }

  async #put({ url }: TestService, id: string, request: BodyRequest): Promise<Settled> {
    const answer = await this.fetched(`${url}/api/v4/measurements/${id}/archive`, { method: 'PUT', ...request });
    if (answer.status !== 202) {
      const { detail = null } = (await answer.json()) as { detail?: string };
      return { state: answer.status === 201 ? 'available' : 'failed', problem: detail };
    }
    // On a busy machine it takes longer than a request waits.
    const address = new URL(answer.headers.get('location') ?? '', url).href;
    let settled: Settled = { state: 'registering', problem: null };
    await expect
      .poll(async () => (settled = (await (await this.fetched(address)).json()) as Settled).state, { timeout: 90_000 })
      .not.toBe('registering');
    return settled;
  }

  /** @returns the path of a new tus upload. */
  async create({ url }: TestService, id: string, fileName: string, length: number): Promise<string> {
    const encoded = (text: string): string => Buffer.from(text).toString('base64');
    const created = await this.fetched(`${url}/api/v4/measurements/uploads`, {
      method: 'POST',
      headers: {
        'upload-length': String(length),
        'upload-metadata': `id ${encoded(id)},filename ${encoded(fileName)}`,
      },
    });
    expect(created.status).toBe(201);
    return new URL(created.headers.get('location') ?? '', url).pathname;
  }

  async patch(
    { url }: TestService,
    address: string,
    offset: number,
    bytes: Buffer,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const headers = { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream', ...more };
    return this.fetched(`${url}${address}`, { method: 'PATCH', headers, body: new Uint8Array(bytes) });
  }

  async offset({ url }: TestService, address: string): Promise<number> {
    const answer = await this.fetched(`${url}${address}`, { method: 'HEAD' });
    return Number(answer.headers.get('upload-offset'));
  }

  /** Waits until all files of a measurement are there, and are the expected ones. */
  async expectFiles({ url }: TestService, id: string, files: Readonly<Record<string, Buffer>>): Promise<void> {
    await expect
      .poll(async () => (await this.fetched(`${url}/measurements/${id}`, { method: 'HEAD' })).status, {
        timeout: 60_000,
      })
      .toBe(200);
    const answer = await this.fetched(`${url}/measurements/${id}/files`);
    const { files: listed } = (await answer.json()) as { files: { path: string; sha256: string; index: number }[] };
    expect(listed.map(({ path: name }) => name)).toEqual(Object.keys(files).toSorted());
    for (const { path: name, sha256 } of listed)
      expect(sha256).toBe(
        createHash('sha256')
          .update(files[name] ?? '')
          .digest('hex'),
      );
    for (const [index, { path: name }] of listed.entries()) {
      // Each takes a request.
      if (index % 10 !== 0 && (files[name]?.length ?? 0) < 100_000) continue;
      const file = await this.fetched(`${url}/measurements/${id}/files/${index}`, {
        headers: { 'accept-encoding': 'identity' },
      });
      expect(Buffer.from(await file.arrayBuffer()).equals(files[name] ?? Buffer.alloc(0))).toBe(true);
    }
  }
}

/** Nothing of uploads is in the storage or at a replica. */
export async function expectNothingLeft({ standIn, first, second }: BodiesWorld): Promise<void> {
  const left = async (): Promise<readonly string[]> => [
    ...[...standIn.objects.keys()].filter((key) => key.startsWith('/bench/uploads/')),
    ...standIn.uploads.keys(),
    ...(await filesBelow(path.join(first.dir, 'library'))),
    ...(await filesBelow(path.join(second.dir, 'library'))),
    ...(await filesBelow(first.services.paths.staging)),
    ...(await filesBelow(second.services.paths.staging)),
    ...(await openBelow(first.services.paths.staging)),
    ...(await openBelow(second.services.paths.staging)),
  ];
  await expect.poll(left, { timeout: 15_000 }).toEqual([]);
}

/** Files of this process below a folder, also those that have no name any more. */
async function openBelow(folder: string): Promise<readonly string[]> {
  const descriptors = await readdir('/proc/self/fd');
  const names = await Promise.all(descriptors.map(async (fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return names.filter((name) => name.startsWith(`${folder}/`));
}
