import type { OAuthApplication } from '../../api/requests/types.ts';
import { formatCount } from '../../../src-shared/format/quantities.ts';
import type { RowSelection } from '../../ui/lists/row-selection.ts';
import { RowTable, type RowCursor } from '../../ui/lists/row-table.tsx';
import { useSortedRows, type SortColumn } from '../../ui/lists/sorted-rows.ts';
import { TimeCell } from '../../ui/lists/time-cell.tsx';
import table from '../../ui/lists/table.module.css';
import { ScopeChips } from '../scopes/scope-chips.tsx';
import styles from './application-table.module.css';
import { KindWord } from './kind-word.tsx';

const sorts: Readonly<Record<'name' | 'kind' | 'users' | 'created', SortColumn<OAuthApplication>>> = {
  name: { value: ({ name }) => name, first: 'asc' },
  kind: { value: ({ confidential }) => Number(confidential), first: 'desc' },
  users: { value: ({ authorizations }) => authorizations, first: 'desc' },
  created: { value: ({ created_at: at }) => at, first: 'desc' },
};

export interface ApplicationTableProps extends RowCursor {
  readonly label: string;
  readonly applications: readonly OAuthApplication[];
  /** Whether there is a column of owners. */
  readonly withOwner: boolean;
  readonly onOpen: (id: number) => void;
  readonly selection: RowSelection;
  readonly onSelect: (selection: RowSelection) => void;
}

/** Registered applications. A row opens its detail. */
export function ApplicationTable({ label, applications, withOwner, onOpen, ...list }: ApplicationTableProps) {
  const sorted = useSortedRows(applications, sorts, { by: 'name', order: 'asc' });
  return (
    <RowTable
      label={label}
      columns={[
        ['Name', 'name'],
        ['Kind', 'kind'],
        { words: 'Redirects to', className: styles['wide'] },
        { words: 'Scopes', className: styles['medium'] },
        { words: 'Users', className: table['numeric'], sort: 'users' },
        ['Registered', 'created'],
      ]}
      keyOf={({ id }) => id}
      {...list}
      {...sorted}
      onEnter={({ id }) => onOpen(id)}
      onClick={({ id }) => onOpen(id)}
    >
      {(application) => (
        <>
          <th scope="row" className={table['name']}>
            <span>{application.name}</span>
            {withOwner ? (
              <span className={table['description']}>registered by {application.owner.username}</span>
            ) : null}
          </th>
          <td data-label="">
            <KindWord confidential={application.confidential} />
          </td>
          <td className={`${styles['wide']} ${styles['redirects']}`}>
            <RedirectWord uris={application.redirect_uris} />
          </td>
          <td className={`${styles['medium']} ${table['chips']}`}>
            <ScopeChips scopes={application.scopes} />
          </td>
          <td data-label="Users" className={table['numeric']} title="Users whose access is still valid">
            {formatCount(application.authorizations)}
          </td>
          <TimeCell label="Registered" at={application.created_at} />
        </>
      )}
    </RowTable>
  );
}

function RedirectWord({ uris }: { readonly uris: readonly string[] }) {
  const [first, ...more] = uris;
  if (first === undefined) return <span className={styles['none']}>nowhere, device grant only</span>;
  return (
    <span className={styles['redirect']} title={uris.join('\n')}>
      <code>{first}</code>
      {more.length === 0 ? null : <span className={styles['none']}>and {formatCount(more.length)} more</span>}
    </span>
  );
}
