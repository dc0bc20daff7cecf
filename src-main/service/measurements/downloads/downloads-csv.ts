import { isoTime } from '../../common/iso-time.ts';
import { csvCell } from '../../audit/trail/audit-csv.ts';
import type { DownloadFilter, DownloadsListStore, StoredDownload } from '../store/downloads-list-store.ts';

const rowsPerPage = 500;
const columns = [
  'id',
  'measurement',
  'user',
  'token',
  'application',
  'address',
  'user_agent',
  'from',
  'to',
  'files',
  'files_whole',
  'zip',
  'requests',
  'bytes',
  'outcome',
  'reason',
];

/** Yields downloads as CSV (RFC 4180), newest first, reading pages while they are sent. */
export async function* downloadsCsv(store: DownloadsListStore, filter: DownloadFilter): AsyncGenerator<string> {
  yield `${columns.join(',')}\r\n`;
  for (let below = Number.MAX_SAFE_INTEGER; ;) {
    const rows = await store.older(filter, below, rowsPerPage);
    if (rows.length > 0) yield rows.map(line).join('');
    const last = rows.at(-1);
    if (!last || rows.length < rowsPerPage) return;
    below = last.id;
  }
}

function line(row: StoredDownload): string {
  const cells = [
    row.id,
    row.measurement_id,
    row.username,
    row.token_name,
    row.application_name,
    row.address,
    row.user_agent,
    isoTime(row.started_at),
    isoTime(row.last_at),
    row.file_count,
    row.files_whole,
    row.as_archive === 1 ? 'yes' : 'no',
    row.requests,
    row.bytes_sent,
    row.outcome,
    row.reason,
  ];
  return `${cells.map((cell) => csvCell(String(cell ?? ''))).join(',')}\r\n`;
}
