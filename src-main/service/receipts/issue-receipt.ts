import { randomUUID } from 'node:crypto';
import { HttpProblem } from '../common/problem.ts';
import type { SettingsStore } from '../database/settings-store.ts';
import type { Actor, Principal } from '../http/principal.ts';
import type { MeasurementRow } from '../measurements/store/measurements-store.ts';
import type { SigningKey } from '../secrets/signing-key.ts';
import { publishedKeys } from './receipt-keys.ts';
import { signReceipt } from './receipt.ts';
import type { ReceiptRow } from './receipts-store.ts';
import type { ReceiptStores } from './stores.ts';

export interface IssueDeps extends ReceiptStores {
  readonly settings: SettingsStore;
  readonly receiptKey: () => Promise<SigningKey>;
  readonly baseUrl: () => string;
}

/**
 * States in writing that this service has a measurement, all files of which were as registered when
 * they were last read. A second request of the same user gets the same receipt.
 *
 * @throws HttpProblem 409 when it does not have it so.
 */
export async function issueReceipt(
  deps: IssueDeps,
  principal: Principal,
  actor: Actor,
  measurement: MeasurementRow,
  now: number,
): Promise<ReceiptRow> {
  if (measurement.state !== 'available' || measurement.problem_count > 0)
    throw new HttpProblem(
      409,
      'There is no receipt for it now: not all of its files are here as they were registered.',
      {
        type: 'not-intact',
      },
    );
  const { id, archive_tag: digest } = measurement;
  const before = await deps.receipts.find(id, digest, principal.userId);
  if (before) return before;
  const key = await deps.receiptKey();
  // Published first, so that no receipt exists whose key is not.
  await publishedKeys(deps.settings, key);
  const receipt = await signReceipt(key, {
    iss: deps.baseUrl(),
    sub: principal.username,
    iat: Math.floor(now / 1000),
    jti: randomUUID(),
    measurement: {
      id,
      manifest_sha256: digest,
      files: measurement.file_count,
      bytes: measurement.total_bytes,
    },
  });
  const row = { measurement_id: id, user_id: principal.userId, manifest_sha256: digest, issued_at: now, receipt };
  const detail = `${principal.username}, signed with ${key.kid}`;
  return deps.receipts.add(row, { ...actor, action: 'measurement.receipt', subject: `measurement:${id}`, detail });
}
