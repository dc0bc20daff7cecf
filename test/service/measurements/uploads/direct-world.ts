import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import type { S3Settings } from '../../../../src-main/service/object-storage/s3-settings.ts';
import type { ServiceConfig } from '../../../../src-main/service/config/config.ts';
import { startTestService, type TestService } from '../../start.ts';
import { uploadsBy, type Part } from './manifest-support.ts';

export const mebibyte = 1024 * 1024;
/** Of every part but the last. */
export const partBytes = 8 * mebibyte;

/** Files with borders of parts and blocks within, at and around them, and empty ones between. */
export const parts: readonly Part[] = [
  { path: 'a/empty.txt', bytes: Buffer.alloc(0) },
  { path: 'a/scan.bin', bytes: randomBytes(9 * mebibyte + 77) },
  ...Array.from({ length: 30 }, (_, at) => ({
    path: `b/small-${String(at).padStart(2, '0')}`,
    bytes: randomBytes(at * 100),
  })),
  { path: 'käse.txt', bytes: Buffer.from('Käse\n') },
  { path: 'z.bin', bytes: randomBytes(10 * mebibyte + 5) },
];

export interface DirectWorld {
  readonly service: TestService;
  readonly client: ReturnType<typeof uploadsBy>;
  readonly alice: number;
  end(): Promise<void>;
}

/** A service that keeps archives in an object storage. */
export async function startDirectWorld(
  objectStorage: S3Settings,
  config: Partial<ServiceConfig> = {},
): Promise<DirectWorld> {
  const service = await startTestService({ objectStorage, ...config });
  const alice = await service.user('alice');
  const token = await service.token(alice, ['read_measurement', 'write_measurement', 'api']);
  return { service, alice, client: uploadsBy(service.url, token), end: async () => service.end() };
}

type Client = ReturnType<typeof uploadsBy>;

/** Begins an upload. @returns its address. */
export async function begun(client: Client, body: string): Promise<string> {
  const created = await client.create(body);
  expect(created.status).toBe(201);
  return client.addressIn(created);
}

/** Waits until a measurement is available, with the bytes of an archive and of each of its files. */
export async function expectAvailable(
  client: Client,
  id: string,
  archive: Buffer,
  files: readonly Part[],
): Promise<void> {
  await expect
    .poll(async () => (await client.fetched(`/measurements/${id}`, { method: 'HEAD' })).status, { timeout: 60_000 })
    .toBe(200);
  const whole = Buffer.from(await (await client.fetched(`/measurements/${id}`)).arrayBuffer());
  expect(whole.equals(archive)).toBe(true);
  for (const [index, { bytes }] of files.entries()) {
    const answer = await client.fetched(`/measurements/${id}/files/${index}`, {
      headers: { 'accept-encoding': 'identity' },
    });
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  }
}

/** The state of an upload, and why it failed. */
export async function stateOf(
  client: Client,
  address: string,
): Promise<{ readonly state: string; readonly problem: string | null; readonly offset: number }> {
  const answer = await client.fetched(new URL(address).pathname);
  return (await answer.json()) as { state: string; problem: string | null; offset: number };
}

/** Files below a folder that are not there for a moment only. */
export async function filesBelow(folder: string): Promise<readonly string[]> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return all.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}
