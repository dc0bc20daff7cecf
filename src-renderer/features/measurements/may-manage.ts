import type { QueryClient } from '@tanstack/react-query';
import type { Page } from '../../api/requests/request.ts';
import type { MeasurementDetail, MeasurementSummary, User } from '../../api/requests/types.ts';

/**
 * Whether verify, rename and remove are offered for measurements, as far as what has been read tells. The service decides; this only keeps
 * what it would refuse out of the menus.
 */
export function mayManage(client: QueryClient, user: User | null, ids: readonly string[]): boolean {
  if (user === null || ids.length === 0) return false;
  if (user.is_admin) return true;
  const rows = new Map<string, boolean>();
  for (const [, page] of client.getQueriesData<Page<MeasurementSummary>>({ queryKey: ['measurements', 'list'] })) {
    for (const row of page?.items ?? []) rows.set(row.id, row.owner.id === user.id);
  }
  return ids.every(
    (id) => client.getQueryData<MeasurementDetail>(['measurements', 'one', id])?.may_manage ?? rows.get(id) ?? false,
  );
}
