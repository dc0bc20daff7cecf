import type { RemoteServer } from '../contract/servers.ts';
import { isoTime } from '../common/iso-time.ts';
import type { ReportRefusals } from './report-refusals.ts';
import type { RemoteServerRow } from './servers-store.ts';

/** The representation of a server in the window, without its token. */
export function serverShape(
  { certificate, checked_at: checkedAt, created_at: createdAt, ...row }: RemoteServerRow,
  refusals: Pick<ReportRefusals, 'of'>,
): RemoteServer {
  return {
    ...row,
    reports_refused: row.reports ? refusals.of(row.base_url) : null,
    certificate_sha256: certificate,
    checked_at: isoTime(checkedAt),
    created_at: isoTime(createdAt),
  };
}
