import type Database from 'better-sqlite3';
import type { GroupCommit } from '../../database/group-commit.ts';
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

/** Device codes in SQLite (RFC 8628). */
export function deviceCodesStore(
  database: Database.Database,
  groupCommit: GroupCommit,
  issues: Pick<TokenIssues, 'issueDirectlyNow'>,
): DeviceCodesStore {
  const insert = database.prepare<[number, Buffer, Buffer, string, number, number, number]>(
    `INSERT INTO oauth_device_codes (application_id, device_code_hash, user_code_hash, scopes, created_at, expires_at, interval_seconds)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (user_code_hash) DO NOTHING`,
  );
  const waiting = database.prepare<{ hash: Buffer; now: number }, WaitingDevice>(
    `SELECT id, application_id, scopes FROM oauth_device_codes WHERE user_code_hash = @hash AND ${deviceStageSql} = 'waiting'`,
  );
  const deciding = (event: 'approve' | 'deny') =>
    database.prepare<{ id: number; now: number; userId: number; signedInAt: number }>(
      `UPDATE oauth_device_codes SET decision = '${deviceTransitions.waiting[event]}', user_id = @userId, signed_in_at = @signedInAt
       WHERE id = @id AND ${changedBy(event)}`,
    );
  const decide = { approved: deciding('approve'), denied: deciding('deny') };
  const byDeviceCode = database.prepare<{ hash: Buffer; application: number; now: number }, DeviceRow>(
    `SELECT *, ${deviceStageSql} AS stage FROM oauth_device_codes WHERE device_code_hash = @hash AND application_id = @application`,
  );
  const recordPoll = database.prepare<[number, number, number]>(
    'UPDATE oauth_device_codes SET last_polled_at = ?, interval_seconds = ? WHERE id = ?',
  );
  const use = database.prepare<{ id: number; now: number }>(
    `UPDATE oauth_device_codes SET used_at = @now WHERE id = @id AND ${changedBy('poll')}`,
  );

  function pollNow(deviceCodeHash: Buffer, application: Application, address: string): Polled {
    const now = Date.now();
    const row = byDeviceCode.get({ hash: deviceCodeHash, application: application.id, now });
    const why = checkPoll(row, now);
    if (row && (why === 'pending' || why === 'slow-down')) recordPoll.run(now, intervalAfter(row, why), row.id);
    if (!row || why !== null || row.user_id === null) return { ok: false, why: why ?? 'unknown' };
    use.run({ id: row.id, now });
    const scopes = row.scopes.split(' ');
    const issued = issues.issueDirectlyNow({
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
      insert.run(
        code.applicationId,
        code.deviceCodeHash,
        code.userCodeHash,
        code.scopes.join(' '),
        Date.now(),
        code.expiresAt,
        code.intervalSeconds,
      ).changes > 0,
    waiting: async (userCodeHash, now) => waiting.get({ hash: userCodeHash, now }) ?? null,
    decide: async (id, decision, userId, signedInAt) =>
      decide[decision].run({ id, now: Date.now(), userId, signedInAt }).changes > 0,
    poll: async (deviceCodeHash, application, address) =>
      groupCommit.run(() => pollNow(deviceCodeHash, application, address)),
  };
}
