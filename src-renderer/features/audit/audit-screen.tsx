import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { auditPageSize, type AuditFilter } from '../../api/queries/account-queries.ts';
import { withQuery } from '../../api/requests/request.ts';
import { useApp, useScreen } from '../../context/context.ts';
import { Screen } from '../../ui/layout/screen.tsx';
import { EmptyState } from '../../ui/notes/empty-state.tsx';
import { formatTotal } from '../../../src-shared/format/quantities.ts';
import { Pager } from '../../ui/lists/pager.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { useStable } from '../../ui/hooks/use-stable.ts';
import { AuditFilters } from './audit-filters.tsx';
import { DownloadLink } from '../../ui/controls/button.tsx';
import screen from '../../ui/layout/screen.module.css';
import { filterOf } from './audit-search.ts';
import { AuditTable } from './audit-table.tsx';

/**
 * The audit trail, for administrators. Transfers are not part of it: each measurement has its own
 * history.
 */
export function AuditScreen() {
  useScreen('audit');
  const { queries } = useApp();
  const navigate = useNavigate();
  const search = useSearch({ from: '/audit' });
  const page = search.page ?? 1;
  const filter = filterOf(search);
  const { data, error, refetch } = useQuery(queries.audit(filter, page));

  const show = (next: AuditFilter, nextPage: number): void => {
    const set = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== ''));
    void navigate({ to: '/audit', search: { ...set, ...(nextPage > 1 ? { page: nextPage } : {}) }, replace: true });
  };
  const change = useStable((part: Partial<AuditFilter>) => show({ ...filter, ...part }, 1));
  const events = data?.items ?? [];

  return (
    <Screen
      title="Audit trail"
      count={data === undefined ? undefined : formatTotal(data.total, data.more)}
      action={
        <DownloadLink href={withQuery('/api/v4/audit_events.csv', { ...filter })} download>
          Download CSV
        </DownloadLink>
      }
    >
      <AuditFilters filter={filter} onChange={change} />
      <NotLoaded of={{ data, error, refetch }} className={screen['note']} />
      {data === undefined ? null : events.length > 0 ? (
        <AuditTable events={events} />
      ) : (
        <EmptyState
          icon={<ScrollText aria-hidden />}
          title={
            Object.values(filter).every((value) => value === '') && page === 1
              ? 'Nothing has happened yet.'
              : 'No entry matches the filters.'
          }
        >
          Sign-ins, tokens, applications and changes to users are recorded here. Transfers are in the history of their
          measurement.
        </EmptyState>
      )}
      <Pager of={data} page={page} pageSize={auditPageSize} onPage={(next) => show(filter, next)} />
    </Screen>
  );
}
