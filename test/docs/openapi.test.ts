import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startTestService } from '../service/start.ts';

const published = path.resolve(import.meta.dirname, '../../docs/openapi.json');

// `npx vitest run test/docs/openapi -u` rewrites it from the current routes and schemas.
test('docs/openapi.json is the document that the service returns', async () => {
  const service = await startTestService();
  try {
    const document = (await (await fetch(`${service.url}/api/openapi.json`)).json()) as object;
    const text = JSON.stringify({ ...document, servers: [{ url: 'http://127.0.0.1:7420' }] }, null, 2);
    await expect(`${text}\n`).toMatchFileSnapshot(published);
  } finally {
    await service.end();
  }
});

// Validating `uniqueItems` takes minutes for a hundred thousand items; a limit and a removal of
// duplicates are cheap.
test('no list in a request demands unique items', async () => {
  expect(await readFile(published, 'utf8')).not.toContain('uniqueItems');
});
