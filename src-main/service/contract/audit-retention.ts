import { Type, type Static } from 'typebox';
import { named } from './common.ts';

const Days = (minimum: number) => Type.Integer({ minimum, maximum: 36_500 });
const Rows = Type.Integer({ minimum: 100_000, maximum: 1_000_000_000 });

/** Maximum age and number of rows of the audit trail; older ones are removed. */
export const AuditRetention = named('AuditRetention', {
  transfer_days: { ...Days(30), description: 'Transfers and downloads' },
  transfer_rows: { ...Rows, description: 'Transfers, and downloads, at most' },
  audit_days: { ...Days(365), description: 'All other events' },
  audit_rows: { ...Rows, description: 'All other events at most' },
});
export type AuditRetention = Static<typeof AuditRetention>;
