import type { QueryClient } from '@tanstack/react-query';
import type { Page } from '../../api/request.ts';
import type { MeasurementDetail, MeasurementSummary, User } from '../../api/types.ts';

/**
 * Whether verify, rename and remove are offered for a measurement, as far as what has been read tells. The service decides; this only keeps
 * what it would refuse out of the menus.
 */
export function mayManage(client: QueryClient, user: User | null, id: string): boolean {
  if (user === null) return false;
  if (user.is_admin) return true;
  const detail = client.getQueryData<MeasurementDetail>(['measurements', 'one', id]);
  if (detail !== undefined) return detail.may_manage;
  for (const [, page] of client.getQueriesData<Page<MeasurementSummary>>({ queryKey: ['measurements', 'list'] })) {
    const row = page?.items.find((item) => item.id === id);
    if (row !== undefined) return row.owner.id === user.id;
  }
  return false;
}
