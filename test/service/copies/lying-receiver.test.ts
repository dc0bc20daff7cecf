import { describe, expect, test } from 'vitest';
import { receiptKey, signReceipt } from '../../../src-main/service/receipts/receipt.ts';
import { signingKey } from '../../../src-main/service/secrets/signing-key.ts';
import { useCopies } from './copies-scene.ts';

const scene = useCopies();
const { measurement, keepCopy, reaches } = scene;

describe('a lying receiver', () => {
  const lies: Readonly<Record<string, (body: Record<string, unknown>) => unknown>> = {
    'no receipt': (body) => ({ ...body, receipt: '' }),
    'a receipt that was changed': (body) => ({
      ...body,
      receipt: String(body['receipt']).replace(/\.[^.]+\./, '.e30.'),
    }),
  };
  for (const [name, change] of Object.entries(lies))
    test(`with ${name} never has a verified copy`, async () => {
      const id = await measurement();
      scene.proxy.alter = ({ path: route }) => (route.endsWith('/receipts') ? { change } : null);
      await keepCopy(id);
      expect(await reaches(id, 'failed')).toMatchObject({
        reason: 'receipt-refused',
        has_receipt: false,
        verified_at: null,
      });
    });

  test('with a good signature over other bytes never has a verified copy', async () => {
    const id = await measurement();
    const { settings, secrets, log } = scene.far.services;
    const key = await signingKey({ settings, secrets, log }, receiptKey)();
    const receipt = await signReceipt(key, {
      iss: scene.far.url,
      sub: 'alice',
      iat: 1,
      jti: 'x',
      measurement: { id, manifest_sha256: '0'.repeat(64), files: 3, bytes: 5_000_005 },
    });
    scene.proxy.alter = ({ path: route }) =>
      route.endsWith('/receipts') ? { change: (body) => ({ ...body, receipt }) } : null;
    await keepCopy(id);
    expect((await reaches(id, 'failed')).message).toContain('about other files');
  });

  test('with keys of its own after the first receipt never has a verified copy', async () => {
    const first = await measurement();
    await keepCopy(first);
    await reaches(first, 'verified');
    const id = await measurement();
    scene.proxy.alter = ({ path: route }) =>
      route.endsWith('/receipts/keys')
        ? { change: ({ keys }) => ({ keys: (keys as object[]).map((key) => ({ ...key, x: 'AAAA' })) }) }
        : null;
    await keepCopy(id);
    expect((await reaches(id, 'failed')).message).toContain('other keys');
  });

  test('without the bytes never has a verified copy', async () => {
    const id = await measurement();
    scene.proxy.alter = ({ path: route }) =>
      route.endsWith('/challenge') ? { change: (body) => ({ ...body, sha256: '0'.repeat(64) }) } : null;
    await keepCopy(id);
    expect(await reaches(id, 'failed')).toMatchObject({ reason: 'bytes-differ', verified_at: null });
  });

  test('whose keys cannot be read now is asked again', async () => {
    const id = await measurement();
    scene.proxy.alter = ({ path: route }) => (route.endsWith('/receipts/keys') ? { status: 503, body: {} } : null);
    await keepCopy(id);
    expect(await reaches(id, 'waiting')).toMatchObject({ reason: 'server-busy', verified_at: null });
  });

  test('with an answer without end is cut off', async () => {
    const id = await measurement();
    scene.proxy.alter = ({ path: route }) =>
      route.endsWith('/receipts') ? { status: 200, body: { receipt: 'x'.repeat(3_000_000) } } : null;
    await keepCopy(id);
    expect(await reaches(id, 'waiting')).toMatchObject({ verified_at: null });
  });

  test('without receipts says so', async () => {
    const id = await measurement();
    scene.proxy.alter = ({ path: route }) => (route.endsWith('/receipts') ? { status: 404, body: {} } : null);
    await keepCopy(id);
    expect((await reaches(id, 'failed')).reason).toBe('no-receipt');
  });
});
