import { Ban } from 'lucide-react';
import { useState } from 'react';
import type { AuthorizedApplication } from '../../api/types.ts';
import { useRowKeys } from '../../app/use-row-keys.ts';
import { IconButton } from '../../ui/button.tsx';
import { Moment } from '../../ui/moment.tsx';
import table from '../../ui/table.module.css';
import { ScopeChips } from '../scopes/scope-chips.tsx';
import { nameOf } from './authorized-words.ts';

export interface AuthorizedTableProps {
  readonly authorized: readonly AuthorizedApplication[];
  readonly onRevoke: (one: AuthorizedApplication) => void;
}

/** Who may act for the signed-in user: since when, what for, and when they last did. */
export function AuthorizedTable({ authorized, onRevoke }: AuthorizedTableProps) {
  const [current, setCurrent] = useState(0);
  const position = Math.min(current, authorized.length - 1);
  const { body, onKeyDown } = useRowKeys(position, authorized.length);
  return (
    <div className={table['scroller']}>
      <table className={table['table']} role="grid" aria-label="Authorized applications" onKeyDown={onKeyDown}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Scopes</th>
            <th scope="col">Approved</th>
            <th scope="col">Last used</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          {authorized.map((one, index) => (
            <tr
              key={one.application?.id ?? 'none'}
              tabIndex={index === position ? 0 : -1}
              aria-selected={index === position}
              className={index === position ? table['current'] : ''}
              onFocus={() => setCurrent(index)}
            >
              <th scope="row" className={table['name']}>
                <span>{nameOf(one)}</span>
                <span className={table['description']}>
                  {one.application === null ? 'tokens that a script got with your password' : `registered by ${one.application.owner.username}`}
                </span>
              </th>
              <td className={table['chips']}>
                <ScopeChips scopes={one.scopes} />
              </td>
              <td data-label="Approved">
                <Moment at={one.authorized_at} />
              </td>
              <td data-label="Last used">{one.last_used_at === null ? 'never' : <Moment at={one.last_used_at} />}</td>
              <td className={table['action']}>
                <IconButton label={`Revoke ${nameOf(one)}`} icon={<Ban />} onClick={() => onRevoke(one)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
