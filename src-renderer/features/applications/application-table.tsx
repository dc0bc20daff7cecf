import type { OAuthApplication } from '../../api/types.ts';
import { formatCount } from '../../ui/format/quantities.ts';
import { Moment } from '../../ui/moment.tsx';
import { RowTable } from '../../ui/row-table.tsx';
import table from '../../ui/table.module.css';
import { ScopeChips } from '../scopes/scope-chips.tsx';
import styles from './application-table.module.css';
import { KindWord } from './kind-word.tsx';

export interface ApplicationTableProps {
  readonly label: string;
  readonly applications: readonly OAuthApplication[];
  /** Whether they are of several people. */
  readonly withOwner: boolean;
  /** The row that the keys mean. */
  readonly current: number | null;
  readonly onCurrent: (id: number) => void;
  readonly onOpen: (id: number) => void;
}

/** Registered applications. A row opens what belongs to it. */
export function ApplicationTable({ label, applications, withOwner, current, onCurrent, onOpen }: ApplicationTableProps) {
  return (
    <RowTable
      label={label}
      columns={[
        'Name',
        'Kind',
        { words: 'Redirects to', className: styles['wide'] },
        { words: 'Scopes', className: styles['medium'] },
        { words: 'Users', className: table['numeric'] },
        'Registered',
      ]}
      rows={applications}
      keyOf={({ id }) => id}
      current={current}
      onCurrent={onCurrent}
      onEnter={({ id }) => onOpen(id)}
      onClick={({ id }) => onOpen(id)}
    >
      {(application) => (
        <>
          <th scope="row" className={table['name']}>
            <span>{application.name}</span>
            {withOwner ? <span className={table['description']}>registered by {application.owner.username}</span> : null}
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
          <td data-label="Users" className={table['numeric']} title="Who have given it access that still holds">
            {formatCount(application.authorizations)}
          </td>
          <td data-label="Registered">
            <Moment at={application.created_at} />
          </td>
        </>
      )}
    </RowTable>
  );
}

function RedirectWord({ uris }: { readonly uris: readonly string[] }) {
  const [first, ...more] = uris;
  if (first === undefined) return <span className={styles['none']}>nowhere, device grant alone</span>;
  return (
    <span className={styles['redirect']} title={uris.join('\n')}>
      <code>{first}</code>
      {more.length === 0 ? null : <span className={styles['none']}>and {formatCount(more.length)} more</span>}
    </span>
  );
}
