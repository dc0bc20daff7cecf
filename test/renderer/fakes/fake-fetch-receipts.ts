import type { FetchReceipt } from '../../../src-main/service/contract/copies/fetch-receipts.ts';
import type { Fetch } from '../../../src-main/service/contract/fetches.ts';
import type { FakeAnswer } from './fake-answer.ts';

/** The receipts of fetches: none until one is asked for, which the server of some measurements refuses. */
export function fakeFetchReceipts() {
  const kept = new Set<number>();
  return (method: string, fetch: Fetch): FakeAnswer => {
    if (method === 'POST' && fetch.measurement_id.includes('old'))
      return {
        status: 502,
        body: {
          type: 'no-receipt',
          title: 'Bad Gateway',
          status: 502,
          detail: 'The server gives no receipts. What was fetched is complete all the same.',
        },
      };
    if (method === 'POST') kept.add(fetch.id);
    return { status: 200, body: receiptOf(fetch, kept.has(fetch.id)) };
  };
}

function receiptOf({ target, base_url: issuer, state }: Fetch, isKept: boolean): FetchReceipt {
  return {
    available: state === 'done',
    file: `${target}.receipt.json`,
    kept: isKept
      ? {
          issued_by: issuer,
          issued_to: 'alice',
          issued_at: '2026-03-02T08:00:00.000Z',
          manifest_sha256: 'a'.repeat(64),
          content: { receipt: 'e30.e30.c2ln', issuer, keys: [] },
        }
      : null,
    problem: null,
  };
}
