import { formatBytes } from '../../common/format-bytes.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { Actor } from '../../http/principal.ts';
import type { MeasurementStores } from '../store/stores.ts';

/** Whose quota it is. */
export interface QuotaSubject {
  readonly kind: 'user' | 'project';
  readonly id: number;
}

type Deps = Pick<MeasurementStores, 'quotas'> & Pick<AuditStores, 'audit'>;

/** Limits what a user or the measurements of a project may take. What is there already stays. */
export async function setQuota(
  { quotas, audit }: Deps,
  { kind, id }: QuotaSubject,
  bytes: number | null,
  by: Actor,
): Promise<void> {
  await (kind === 'user' ? quotas.setOfUser(id, bytes) : quotas.setOfProject(id, bytes));
  const detail = bytes === null ? 'no quota' : `quota ${formatBytes(bytes)}`;
  const action = kind === 'user' ? 'user.update' : 'project.change';
  await audit.record({ ...by, action, subject: `${kind}:${id}`, detail });
}
