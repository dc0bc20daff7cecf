import type { QueryClient } from '@tanstack/react-query';
import type { Page } from '../../api/requests/request.ts';
import type { MeasurementDetail, MeasurementSummary, User } from '../../api/requests/types.ts';

/**
 * Whether to offer verify, rename and remove, as far as the loaded data shows. The service decides;
 * this only hides actions that it would refuse.
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
