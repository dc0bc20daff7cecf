import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import { createHttpClient, type HttpClient } from '../../../../../src-main/service/http-client/http-client.ts';
import type { ReadManifest } from '../../../../../src-main/service/fetching/engine/manifest/manifest-types.ts';
import { ManifestSlices } from '../../../../../src-main/service/fetching/engine/manifest/read-manifest-slices.ts';
import { readManifest } from '../../../../../src-main/service/fetching/engine/manifest/read-manifest.ts';

export const file = (index: number, path = `f${index}`, more: object = {}): object => ({
  index,
  path,
  length: 1,
  crc32: 7,
  ...more,
});
export const manifest = (...files: readonly unknown[]): object => ({ measurementId: 'M1', files });

/** Each part is used for something else as soon as it was looked at, as the buffers of a connection are. */
export function readSlices(parts: Iterable<Buffer>, take: (entries: readonly unknown[]) => void): object {
  const slices = new ManifestSlices(take);
  for (const part of parts) {
    const lent = Buffer.from(part);
    slices.push(lent);
    lent.fill('x');
  }
  return slices.finish();
}

/** A server that answers with a manifest of the test, and a client that reads it. */
export function useManifestServer() {
  let server: http.Server;
  const scene = {} as { asker: HttpClient; send: (response: http.ServerResponse) => void };

  beforeAll(async () => {
    server = http.createServer((request, response) => {
      if (request.url === '/lab/measurements/M1/files') scene.send(response);
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/lab`;
    scene.asker = createHttpClient({ baseUrl, token: null, certificate: null }, { connections: 2 });
  });

  afterAll(async () => {
    scene.asker.close();
    await new Promise((resolve) => server.close(resolve));
  });

  async function read(body: unknown): Promise<ReadManifest> {
    scene.send = (response) =>
      response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
    return readManifest(scene.asker, 'M1', AbortSignal.timeout(20_000));
  }

  return Object.assign(scene, { read });
}
