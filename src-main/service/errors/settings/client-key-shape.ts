import type { ClientKey } from '../../contract/errors.ts';
import { isoTime } from '../../common/iso-time.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import type { ClientKeyRow } from '../store/client-keys-store.ts';
import { deprecatedDsnOf, dsnOf } from './dsn.ts';

/** A client key in GitLab's shape, plus the fields of our screen. */
export function clientKeyShape(row: ClientKeyRow, baseUrl: string, secrets: SecretBox): ClientKey {
  return {
    id: row.id,
    active: row.active === 1,
    public_key: row.public_key,
    sentry_dsn: dsnOf(baseUrl, row.public_key, row.project_id),
    sentry_dsn_deprecated: deprecatedDsnOf(baseUrl, row.public_key, row.project_id, secrets),
    created_at: isoTime(row.created_at),
    last_used_at: isoTime(row.last_used_at),
    events: row.events,
  };
}
