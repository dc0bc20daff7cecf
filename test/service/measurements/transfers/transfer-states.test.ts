import type { AddressInfo } from 'node:net';
import { createServer, get, type Server, type ServerResponse } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Principal } from '../../../../src-main/service/http/principal.ts';
import { Transfer } from '../../../../src-main/service/measurements/transfers/transfer.ts';
import type { TransferOutcome } from '../../../../src-main/service/transfers/transfer-rows.ts';

let server: Server;
const responses: ((response: ServerResponse) => void)[] = [];

beforeAll(async () => {
  server = createServer((_request, response) => responses.shift()?.(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => void server.close());

/** A response that a client waits for. */
async function openResponse(): Promise<ServerResponse> {
  const waiting = new Promise<ServerResponse>((resolve) => responses.push(resolve));
  get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false }).on('error', () => {});
  return waiting;
}

const principal = { userId: 1, tokenId: 1, oauth: null } as unknown as Principal;
const start = {
  principal,
  address: null,
  userAgent: null,
  measurementId: 'm',
  what: 'file',
  fileIndex: 0,
  range: null,
  status: 200,
  length: 5,
  from: 0,
  of: 5,
  fileCount: 1,
} as const;

const reasons: readonly TransferOutcome[] = ['revoked', 'unconfirmed', 'stalled', 'stopped', 'ended', 'read-error'];
const seen: readonly TransferOutcome[] = [
  'complete',
  'client-closed',
  'file-changed',
  'checksum-mismatch',
  'handed-over',
];
const event = fc.oneof(
  fc.record({ cut: fc.constantFrom(...reasons) }),
  fc.record({ end: fc.constantFrom(...seen), isStopping: fc.boolean() }),
);

test('a transfer has one end: what its sender saw, or before that the first reason to close it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 6 }), async (events) => {
      const response = await openResponse();
      const transfer = new Transfer(1, start, response, 'token 1');
      let reason: TransferOutcome | null = null;
      let expected: TransferOutcome | null = null;
      for (const one of events) {
        if ('cut' in one) {
          transfer.cut(one.cut);
          if (expected === null) reason ??= one.cut;
        } else {
          transfer.over(one.end, one.isStopping);
          const closed = one.end === 'client-closed' && one.isStopping ? 'stopped' : one.end;
          expected ??= one.end === 'complete' ? 'complete' : (reason ?? closed);
        }
        expect(transfer.stage).toBe(expected !== null ? 'over' : reason !== null ? 'closing' : 'running');
        expect(response.destroyed).toBe(reason !== null);
        expect([transfer.outcome, transfer.endedAt !== null]).toEqual([expected, expected !== null]);
      }
      response.destroy();
    }),
    { numRuns: 150 },
  );
});
