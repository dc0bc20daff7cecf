import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Principal } from '../../../../src-main/service/http/principal.ts';
import { parseSelection } from '../../../../src-main/service/files/file-ranges.ts';
import { Transfer } from '../../../../src-main/service/measurements/transfers/transfer.ts';
import { TransferRecords } from '../../../../src-main/service/measurements/transfers/transfer-records.ts';
import type { TransfersStore } from '../../../../src-main/service/transfers/transfers-store.ts';

const alice = { userId: 1, tokenId: 1, oauth: null } as Principal;
const long = parseSelection(Array.from({ length: 1000 }, (_, at) => String(at * 2)).join(','), 5000);

function records(): { readonly all: TransferRecords; readonly store: { failing: boolean; rows: number } } {
  const state = { failing: true, rows: 0 };
  const store: Pick<TransfersStore, 'write' | 'newDownloadId'> = {
    newDownloadId: () => 1,
    write: async ({ ended, started }) => {
      if (state.failing) throw new Error('the disk is full');
      state.rows += ended.length;
      return { ended: ended.map((_, at) => at + 1), started: started.map((_, at) => at + 1) };
    },
  };
  const log = pino({ level: 'silent' });
  return { all: new TransferRecords({ store: store as TransfersStore, log, onShort: () => {} }), store: state };
}

/** Adds ended transfers until the next is refused. @returns how many there were. */
function addUntilRefused(all: TransferRecords, selection: typeof long | null): number {
  for (let count = 0; count < 100_000; count += 1) {
    try {
      all.refuseUnrecorded(alice);
    } catch {
      return count;
    }
    const transfer = new Transfer(
      count,
      {
        principal: alice,
        address: null,
        userAgent: null,
        measurementId: 'm',
        what: 'archive',
        fileIndex: null,
        ...(selection ? { selection } : {}),
        range: null,
        status: 200,
        length: 1_000_000,
        from: 0,
        of: 1_000_000,
        fileCount: 5000,
      },
      null,
      'token 1',
    );
    transfer.bytesSent = 1_000_000;
    transfer.over('complete', false);
    all.add(transfer);
  }
  return -1;
}

test('while the audit trail cannot be written, long selections are refused sooner, and all are written later', async () => {
  expect(addUntilRefused(records().all, null)).toBe(50_000);
  const { all, store } = records();
  const count = addUntilRefused(all, long);
  expect(count).toBeGreaterThan(100);
  expect(count).toBeLessThan(1000);
  await all.write(new Set());
  expect(() => all.refuseUnrecorded(alice)).toThrow('The audit trail cannot be written');
  store.failing = false;
  await all.write(new Set());
  expect(store.rows).toBe(count);
  expect(() => all.refuseUnrecorded(alice)).not.toThrow();
});
