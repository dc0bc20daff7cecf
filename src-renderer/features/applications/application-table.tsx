import type { OAuthApplication } from '../../api/types.ts';
import { useRowKeys } from '../../app/use-row-keys.ts';
import { formatCount } from '../../ui/format/quantities.ts';
import { Moment } from '../../ui/moment.tsx';
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
  const position = Math.max(
    0,
    applications.findIndex((application) => application.id === current),
  );
  const { body, onKeyDown } = useRowKeys(position, applications.length, () => {
    const application = applications[position];
    if (application !== undefined) onOpen(application.id);
  });
  return (
    <div className={table['scroller']}>
      <table className={table['table']} role="grid" aria-label={label} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Kind</th>
            <th scope="col" className={styles['wide']}>
              Redirects to
            </th>
            <th scope="col" className={styles['medium']}>
              Scopes
            </th>
            <th scope="col">Users</th>
            <th scope="col">Registered</th>
          </tr>
        </thead>
        <tbody ref={body}>
          {applications.map((application, index) => (
            <tr
              key={application.id}
              tabIndex={index === position ? 0 : -1}
              aria-selected={application.id === current}
              className={application.id === current ? table['current'] : ''}
              onFocus={() => onCurrent(application.id)}
              onClick={() => onOpen(application.id)}
            >
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
              <td data-label="Users" title="Who have given it access that still holds">
                {formatCount(application.authorizations)}
              </td>
              <td data-label="Registered">
                <Moment at={application.created_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
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
