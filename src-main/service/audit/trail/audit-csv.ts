import { isoTime } from '../../common/iso-time.ts';
import type { AuditFilter, AuditListStore, AuditPosition, AuditRow } from '../audit-list-store.ts';

const rowsPerPage = 500;
const columns = ['id', 'at', 'user', 'application', 'action', 'subject', 'detail', 'address'];

/** The audit trail as CSV (RFC 4180), newest first, read page by page while it is sent. */
export async function* auditCsv(store: AuditListStore, filter: AuditFilter): AsyncGenerator<string> {
  yield `${columns.join(',')}\r\n`;
  let than: AuditPosition | null = null;
  for (;;) {
    const rows: readonly AuditRow[] = await store.older(filter, than, rowsPerPage);
    if (rows.length > 0) yield rows.map(line).join('');
    const last = rows.at(-1);
    if (!last || rows.length < rowsPerPage) return;
    than = last;
  }
}

function line(row: AuditRow): string {
  const cells = [
    String(row.id),
    isoTime(row.at),
    row.username,
    row.application,
    row.action,
    row.subject,
    row.detail,
    row.address,
  ];
  return `${cells.map((cell) => csvCell(cell ?? '')).join(',')}\r\n`;
}

/**
 * Escapes a cell so that spreadsheets treat it as text: an apostrophe precedes what could start a
 * formula (OWASP, "CSV Injection").
 */
export function csvCell(text: string): string {
  const inert = /^\s*[=+\-@\t\r\n|%]/.test(text) ? `'${text}` : text;
  return /[",\r\n;']/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
