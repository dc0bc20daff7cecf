import http from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startIngestWorld, type IngestWorld } from './ingest-world.ts';
import { readdressed, sdkRequests } from './sdk-requests.ts';

let world: IngestWorld;
beforeAll(async () => {
  world = await startIngestWorld();
});
afterAll(async () => world.end());

async function post(url: string, headers: Readonly<Record<string, string>>, body: Buffer): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    // No Content-Length: Node's SDK sends chunks, the others are not harmed by it. And no header that the client did not send.
    const request = http.request(url, { method: 'POST', headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
    });
    request.on('error', reject);
    request.end(body);
  });
}

it.each(sdkRequests().map((request, index) => [index, request.sdk, request] as const))('takes request %i, of %s, with 200', async (_index, _sdk, request) => {
  const { url, headers, body } = readdressed(request, { url: world.service.url, projectId: world.projectId, publicKey: world.publicKey });
  const answer = await post(url, headers, body);
  expect(answer).toMatchObject({ status: 200 });
});
