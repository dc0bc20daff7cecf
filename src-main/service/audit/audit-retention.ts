import type { Logger } from 'pino';
import type { AuditRetention } from '../contract/audit-retention.ts';
import type { PurgeStore } from '../database/purge.ts';
import type { SettingsStore } from '../database/settings-store.ts';
import { parseJson } from '../common/parse-json.ts';
import type { Actor } from '../http/principal.ts';
import type { AuditStore } from './audit-store.ts';
import type { AuditRetentionStore, AuditTable } from './audit-retention-store.ts';

const key = 'audit.retention';
const day = 24 * 3600_000;

/** Ten million transfers take about 2.5 GB. */
const defaultAuditRetention: AuditRetention = {
  transfer_days: 400,
  transfer_rows: 10_000_000,
  audit_days: 3650,
  audit_rows: 10_000_000,
};

/** Reads the retention settings. */
export async function readAuditRetention(settings: SettingsStore): Promise<AuditRetention> {
  const stored = parseJson((await settings.get(key)) ?? '');
  const own =
    typeof stored === 'object' && stored !== null
      ? Object.entries(stored).filter(([, value]) => Number.isSafeInteger(value) && value > 0)
      : [];
  return { ...defaultAuditRetention, ...Object.fromEntries(own) };
}

/** @param by the administrator who makes the change, which is audited. */
export async function changeAuditRetention(
  { settings, audit }: { readonly settings: SettingsStore; readonly audit: AuditStore },
  change: Partial<AuditRetention>,
  by: Actor,
): Promise<AuditRetention> {
  const wanted = { ...(await readAuditRetention(settings)), ...change };
  await settings.set(key, JSON.stringify(wanted));
  const detail = Object.entries(change)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
  await audit.record({ ...by, action: 'settings.update', subject: `setting:${key}`, detail });
  return wanted;
}

export interface AuditRetentionDeps {
  readonly store: AuditRetentionStore;
  readonly settings: SettingsStore;
  readonly log: Logger;
}

/**
 * Deletes rows of transfers, downloads and the audit trail beyond the configured age or number. To
 * be called before the first row of this run is written.
 */
export async function auditRetention({ store, settings, log }: AuditRetentionDeps): Promise<PurgeStore> {
  const newest = await store.newest();
  const startedAt = performance.now();
  let removed = 0;

  /**
   * Guards against a clock set ahead, which would make all rows old: time is capped at the newest
   * row of earlier runs, plus the uptime and a day.
   */
  const believable = (now: number) => Math.floor(Math.min(now, (newest ?? 0) + (performance.now() - startedAt) + day));

  async function removeFrom(table: AuditTable, days: number, rows: number, now: number): Promise<boolean> {
    const tooMany = (await store.rows(table)) > rows;
    const count =
      (tooMany ? await store.removeOldest(table) : 0) || (await store.removeBefore(table, now - days * day));
    removed += count;
    return count > 0;
  }

  return {
    purgeSome: async (clock) => {
      const now = believable(clock);
      const {
        transfer_days: days,
        transfer_rows: rows,
        audit_days: auditDays,
        audit_rows: auditRows,
      } = await readAuditRetention(settings);
      const steps = [
        await removeFrom('transfers', days, rows, now),
        await removeFrom('downloads', days, rows, now),
        await removeFrom('audit_events', auditDays, auditRows, now),
      ];
      if (steps.includes(true)) return true;
      // One day longer than rows, because their last use is recorded once a day.
      await store.removeUserAgents(now - (days + 2) * day);
      if (removed > 0) log.info({ rows: removed }, 'old rows of the audit trail were removed');
      removed = 0;
      return false;
    },
  };
}
