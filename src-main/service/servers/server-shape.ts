import type { RemoteServer } from '../contract/servers.ts';
import { isoTime } from '../common/iso-time.ts';
import type { RemoteServerRow } from './servers-store.ts';

/** The representation of a server in the window, without its token. */
export function serverShape({
  certificate,
  checked_at: checkedAt,
  created_at: createdAt,
  ...row
}: RemoteServerRow): RemoteServer {
  return {
    ...row,
    certificate_sha256: certificate,
    checked_at: isoTime(checkedAt),
    created_at: isoTime(createdAt),
  };
}
