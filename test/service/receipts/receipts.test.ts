import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { localHeaderLength } from '../../../src-shared/archive/zip-format.ts';
import { beginLayout } from '../../../src-main/service/archive/layout.ts';
import { verifyReceipt, ReceiptRefused, receiptKey } from '../../../src-main/service/receipts/receipt.ts';
import type { Receipt, ReceiptKeys } from '../../../src-main/service/contract/copies/receipts.ts';
import { signingKey } from '../../../src-main/service/secrets/signing-key.ts';
import { addMeasurement, changeSeen, openBeside } from '../fixture-measurement.ts';
import { useTestService } from '../use-service.ts';

const service = useTestService();
let tokens: { readonly alice: string; readonly bob: string };
const bytes = randomBytes(700_000);

beforeAll(async () => {
  const alice = await service.user('alice');
  const bob = await service.user('bob');
  tokens = {
    alice: await service.token(alice, ['write_measurement']),
    bob: await service.token(bob, ['read_measurement']),
  };
  const files = [
    { path: 'a.bin', bytes },
    { path: 'b/c.txt', bytes: 'text' },
  ];
  await addMeasurement(service, alice, 'run-1', files);
  await addMeasurement(service, alice, 'run-2', files);
});

async function post(route: string, body: unknown = {}, token = tokens.alice): Promise<Response> {
  return fetch(`${service.url}${route}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function receiptOf(id: string): Promise<Receipt> {
  const answer = await post(`/api/v4/measurements/${id}/receipts`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Receipt;
}

const keys = async () => (await (await fetch(`${service.url}/api/v4/receipts/keys`)).json()) as ReceiptKeys;

describe('a receipt', () => {
  test('says what the service has, and is verified with the published keys alone', async () => {
    const receipt = await receiptOf('run-1');
    const { claims, kid } = await verifyReceipt(receipt.receipt, await keys());
    expect(claims).toMatchObject({
      iss: expect.stringContaining('http'),
      sub: 'alice',
      measurement: { id: 'run-1', manifest_sha256: receipt.manifest_sha256, files: 2, bytes: 700_004 },
    });
    expect((await keys()).keys.map((key) => key['kid'])).toEqual([kid]);
    expect((await keys()).keys[0]).not.toHaveProperty('d');
  });

  test('has a digest that follows from the manifest', async () => {
    const token = await service.token((await service.services.users.byUsername('alice'))?.id ?? 0, [
      'read_measurement',
    ]);
    const headers = { authorization: `Bearer ${token}` };
    const manifest = await (await fetch(`${service.url}/measurements/run-1/files`, { headers })).json();
    const layout = beginLayout();
    for (const file of manifest.files)
      layout.add({ ...file, sha256: Buffer.from(file.sha256, 'hex'), registeredAt: Date.parse(file.registrationTime) });
    expect((await receiptOf('run-1')).manifest_sha256).toBe(layout.finish().tag);
  });

  test('is the same one for the same user, and another one for others', async () => {
    expect((await receiptOf('run-1')).receipt).toBe((await receiptOf('run-1')).receipt);
    const many = await Promise.all(Array.from({ length: 20 }, async () => receiptOf('run-2')));
    expect(new Set(many.map(({ receipt }) => receipt)).size).toBe(1);
  });

  test('is refused for a measurement that the user may not read, or that is not whole', async () => {
    expect((await post('/api/v4/measurements/run-1/receipts', {}, tokens.bob)).status).toBe(403);
    expect((await post('/api/v4/measurements/nothing/receipts')).status).toBe(404);
    const alice = (await service.services.users.byUsername('alice'))?.id ?? 0;
    const { id } = await addMeasurement(service, alice, 'run-degraded', [{ path: 'x', bytes: 'x' }]);
    openBeside(service).prepare(`UPDATE measurements SET state = 'degraded', problem_count = 1 WHERE id = ?`).run(id);
    await changeSeen(service);
    expect((await post(`/api/v4/measurements/${id}/receipts`)).status).toBe(409);
  });

  test('changed in any character is refused', async () => {
    const { receipt } = await receiptOf('run-1');
    const published = await keys();
    for (let at = 0; at < receipt.length; at += 1) {
      if (receipt[at] === '.') continue;
      // The last character of each part may have bits that carry nothing.
      if (at + 1 === receipt.length || receipt[at + 1] === '.') continue;
      const changed = receipt.slice(0, at) + (receipt[at] === 'A' ? 'B' : 'A') + receipt.slice(at + 1);
      await expect(verifyReceipt(changed, published)).rejects.toThrow(ReceiptRefused);
    }
    await expect(verifyReceipt(receipt, { keys: [] })).rejects.toThrow('not among the published ones');
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${receipt.split('.')[1]}.`;
    await expect(verifyReceipt(unsigned, published)).rejects.toThrow(ReceiptRefused);
  });

  test('keeps its public key when the private one is lost', async () => {
    const { receipt } = await receiptOf('run-1');
    const { settings, secrets } = service.services;
    await settings.set(receiptKey.setting, 'AAAA');
    const other = await signingKey({ settings, secrets, log: { warn: () => undefined } }, receiptKey)();
    const { publishedKeys } = await import('../../../src-main/service/receipts/receipt-keys.ts');
    const all = await publishedKeys(settings, other);
    expect(all.keys).toHaveLength(2);
    expect((await verifyReceipt(receipt, all)).claims.sub).toBe('alice');
  });

  test('is listed for the owner', async () => {
    const alice = (await service.services.users.byUsername('alice'))?.id ?? 0;
    const token = await service.token(alice, ['read_api']);
    const list = await fetch(`${service.url}/api/v4/measurements/run-1/receipts`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await list.json()).toEqual([await receiptOf('run-1')]);
  });
});

describe('a challenge', () => {
  const nonce = '00112233445566778899aabbccddeeff';

  test('is answered with the hash of the bytes', async () => {
    const [start, length] = [100, 200_000];
    const answer = await post('/api/v4/measurements/run-1/challenge', {
      nonce,
      ranges: [
        { start, length },
        { start: 0, length: 4 },
      ],
    });
    expect(answer.status).toBe(200);
    const header = localHeaderLength({ path: 'a.bin', length: bytes.length });
    const expected = createHash('sha256')
      .update(Buffer.from(nonce, 'hex'))
      .update(bytes.subarray(start - header, start - header + length))
      .update('PK\u0003\u0004')
      .digest('hex');
    expect(await answer.json()).toMatchObject({ sha256: expected });
  });

  test('of bytes that are not there, or by others, is refused', async () => {
    const ranges = [{ start: 800_000, length: 100 }];
    expect((await post('/api/v4/measurements/run-1/challenge', { nonce, ranges })).status).toBe(422);
    expect((await post('/api/v4/measurements/run-1/challenge', { nonce, ranges: [] })).status).toBe(400);
    const many = Array.from({ length: 17 }, () => ({ start: 0, length: 1 }));
    expect((await post('/api/v4/measurements/run-1/challenge', { nonce, ranges: many })).status).toBe(400);
    const some = [{ start: 0, length: 4 }];
    expect((await post('/api/v4/measurements/run-1/challenge', { nonce, ranges: some }, tokens.bob)).status).toBe(403);
  });

  test('is not answered from a file that was changed', async () => {
    const alice = (await service.services.users.byUsername('alice'))?.id ?? 0;
    const { id, root } = await addMeasurement(service, alice, 'run-changed', [{ path: 'x', bytes: 'before' }]);
    await writeFile(path.join(root, 'x'), 'after!');
    const answer = await post(`/api/v4/measurements/${id}/challenge`, { nonce, ranges: [{ start: 0, length: 60 }] });
    expect([409, 503]).toContain(answer.status);
  });
});
