import type { Database, Transaction } from '../../database/port/database.ts';
import { read, write } from '../../database/port/query.ts';
import { one, run } from '../../database/port/steps.ts';
import { changedBy, deviceStageSql, deviceTransitions } from './device-states.ts';
import { checkPoll, intervalAfter, type PollRefusal } from './device-check.ts';
import type { DeviceRow, WaitingDevice } from './device-rows.ts';
import type { Issued, TokenIssues } from './token-issue-store.ts';
import type { Application } from '../shared/types.ts';

export interface NewDeviceCode {
  readonly applicationId: number;
  readonly deviceCodeHash: Buffer;
  readonly userCodeHash: Buffer;
  readonly scopes: readonly string[];
  readonly expiresAt: number;
  readonly intervalSeconds: number;
}

export type Polled =
  | ({ readonly ok: true; readonly signedInAt: number } & Issued)
  | { readonly ok: false; readonly why: PollRefusal };

export interface DeviceCodesStore {
  /** @returns false when the user code is already in use. */
  create(code: NewDeviceCode): Promise<boolean>;
  /** The undecided, unexpired device with this user code. */
  waiting(userCodeHash: Buffer, now: number): Promise<WaitingDevice | null>;
  /** @returns false when it was already decided or has expired. */
  decide(id: number, decision: 'approved' | 'denied', userId: number, signedInAt: number): Promise<boolean>;
  /** Handles a poll of a device; an approved code yields its token once. */
  poll(deviceCodeHash: Buffer, application: Application, address: string): Promise<Polled>;
}

const insert = write<[number, Buffer, Buffer, string, number, number, number]>(
  `INSERT INTO oauth_device_codes (application_id, device_code_hash, user_code_hash, scopes, created_at, expires_at, interval_seconds)
   VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (user_code_hash) DO NOTHING`,
);
const waiting = read<{ hash: Buffer; now: number }, WaitingDevice>(
  `SELECT id, application_id, scopes FROM oauth_device_codes WHERE user_code_hash = @hash AND ${deviceStageSql} = 'waiting'`,
);
const byDeviceCode = read<{ hash: Buffer; application: number; now: number }, DeviceRow>(
  `SELECT *, ${deviceStageSql} AS stage FROM oauth_device_codes WHERE device_code_hash = @hash AND application_id = @application`,
);
const recordPoll = write<[number, number, number]>(
  'UPDATE oauth_device_codes SET last_polled_at = ?, interval_seconds = ? WHERE id = ?',
);
const use = write<{ id: number; now: number }>(
  `UPDATE oauth_device_codes SET used_at = @now WHERE id = @id AND ${changedBy('poll')}`,
);

const deciding = (event: 'approve' | 'deny') =>
  write<{ id: number; now: number; userId: number; signedInAt: number }>(
    `UPDATE oauth_device_codes SET decision = '${deviceTransitions.waiting[event]}', user_id = @userId, signed_in_at = @signedInAt
     WHERE id = @id AND ${changedBy(event)}`,
  );
const decide = { approved: deciding('approve'), denied: deciding('deny') };

/** Device codes (RFC 8628). */
export function deviceCodesStore(database: Database, issues: Pick<TokenIssues, 'issueDirectlyNow'>): DeviceCodesStore {
  function* pollNow(deviceCodeHash: Buffer, application: Application, address: string): Transaction<Polled> {
    const now = Date.now();
    const row = yield* one(byDeviceCode, { hash: deviceCodeHash, application: application.id, now });
    const why = checkPoll(row, now);
    if (row && (why === 'pending' || why === 'slow-down')) yield* run(recordPoll, now, intervalAfter(row, why), row.id);
    if (!row || why !== null || row.user_id === null) return { ok: false, why: why ?? 'unknown' };
    yield* run(use, { id: row.id, now });
    const scopes = row.scopes.split(' ');
    const issued = yield* issues.issueDirectlyNow({
      kind: 'device',
      application,
      userId: row.user_id,
      scopes,
      refreshable: true,
      address,
    });
    return issued ? { ok: true, signedInAt: row.signed_in_at ?? now, ...issued } : { ok: false, why: 'unknown' };
  }

  return {
    create: async (code) =>
      (await database.run(
        insert,
        code.applicationId,
        code.deviceCodeHash,
        code.userCodeHash,
        code.scopes.join(' '),
        Date.now(),
        code.expiresAt,
        code.intervalSeconds,
      )) > 0,
    waiting: async (userCodeHash, now) => database.one(waiting, { hash: userCodeHash, now }),
    decide: async (id, decision, userId, signedInAt) =>
      (await database.run(decide[decision], { id, now: Date.now(), userId, signedInAt })) > 0,
    poll: async (deviceCodeHash, application, address) =>
      database.grouped(() => pollNow(deviceCodeHash, application, address)),
  };
}
