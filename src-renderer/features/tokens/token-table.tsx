import { Ban } from 'lucide-react';
import { useRef, type KeyboardEvent } from 'react';
import type { PersonalAccessToken } from '../../api/types.ts';
import { commands as catalogue, type CommandId } from '../../app/command-catalogue.ts';
import { useApp } from '../../app/context.ts';
import { commandFor } from '../../app/shortcuts.ts';
import { IconButton } from '../../ui/button.tsx';
import { Moment } from '../../ui/moment.tsx';
import { ExpiryBadge } from './expiry-badge.tsx';
import { meaningOf } from './scope-words.ts';
import styles from './token-table.module.css';

const listCommands = catalogue.filter((command) => command.scope === 'list');

export interface TokenTableProps {
  readonly tokens: readonly PersonalAccessToken[];
  readonly now: Date;
  /** The row that the keys mean. */
  readonly current: number | null;
  readonly onCurrent: (id: number) => void;
  readonly onRevoke: (token: PersonalAccessToken) => void;
}

/** Tokens with their scopes and their last use; never the secret. One row has the focus, and arrows move it. */
export function TokenTable({ tokens, now, current, onCurrent, onRevoke }: TokenTableProps) {
  const { onMac } = useApp();
  const body = useRef<HTMLTableSectionElement>(null);
  const position = Math.max(
    0,
    tokens.findIndex((token) => token.id === current),
  );
  const moveTo = (index: number) => (): void => {
    const row = body.current?.rows[Math.min(tokens.length - 1, Math.max(0, index))];
    row?.focus();
  };
  const keyActions: Partial<Record<CommandId, () => void>> = {
    'list-next': moveTo(position + 1),
    'list-previous': moveTo(position - 1),
    'list-first': moveTo(0),
    'list-last': moveTo(tokens.length - 1),
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const command = commandFor(listCommands, event, onMac);
    const act = command === undefined ? undefined : keyActions[command.id];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  return (
    <div className={styles['scroller']}>
      <table className={styles['table']} role="grid" aria-label="Tokens" onKeyDown={onKeyDown}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Scopes</th>
            <th scope="col">Created</th>
            <th scope="col">Last used</th>
            <th scope="col">Expires</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          {tokens.map((token, index) => (
            <tr
              key={token.id}
              tabIndex={index === position ? 0 : -1}
              aria-selected={token.id === current}
              className={`${token.active ? '' : styles['inactive']} ${token.id === current ? styles['current'] : ''}`}
              onFocus={() => onCurrent(token.id)}
            >
              <th scope="row" className={styles['name']}>
                <span>{token.name}</span>
                {token.description === '' ? null : (
                  <span className={styles['description']} title={token.description}>
                    {token.description}
                  </span>
                )}
              </th>
              <td className={styles['scopes']}>
                {token.scopes.map((scope) => (
                  <code key={scope} title={meaningOf(scope)}>
                    {scope}
                  </code>
                ))}
              </td>
              <td data-label="Created">
                <Moment at={token.created_at} />
              </td>
              <td data-label="Last used">{token.last_used_at === null ? 'never' : <Moment at={token.last_used_at} />}</td>
              <td data-label="Expires">
                <ExpiryBadge token={token} now={now} />
              </td>
              <td className={styles['action']}>
                {token.active ? <IconButton label={`Revoke ${token.name}`} icon={<Ban />} onClick={() => onRevoke(token)} /> : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
