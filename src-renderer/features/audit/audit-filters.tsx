import { useId } from 'react';
import type { AuditFilter } from '../../api/queries/account-queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { UserFilter } from '../../ui/controls/user-filter.tsx';
import { actionGroups, actionWords } from './action-words.ts';
import styles from './audit-screen.module.css';

/** Filters of the audit trail: user, action and dates. */
export function AuditFilters({
  filter,
  onChange,
}: {
  readonly filter: AuditFilter;
  readonly onChange: (change: Partial<AuditFilter>) => void;
}) {
  const id = useId();
  const isKnown =
    filter.action === '' ||
    actionGroups.some(({ prefix, actions }) => filter.action === prefix || filter.action in actions);
  const isEmpty = Object.values(filter).every((value) => value === '');
  return (
    <search className={styles['filters']} aria-label="Which events">
      <UserFilter user={filter.user} onChange={(user) => onChange({ user })} />
      <label htmlFor={`${id}-action`}>
        <span>What</span>
        <select
          id={`${id}-action`}
          value={filter.action}
          onChange={(event) => onChange({ action: event.target.value })}
        >
          <option value="">Everything</option>
          {isKnown ? null : <option value={filter.action}>{actionWords(filter.action)}</option>}
          {actionGroups.map(({ name, prefix, actions }) => (
            <optgroup key={prefix} label={name}>
              <option value={prefix}>{name}: everything</option>
              {Object.entries(actions).map(([action, words]) => (
                <option key={action} value={action}>
                  {words}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      <label htmlFor={`${id}-from`}>
        <span>From</span>
        <input
          id={`${id}-from`}
          type="date"
          value={filter.from}
          max={filter.to}
          onChange={(event) => onChange({ from: event.target.value })}
        />
      </label>
      <label htmlFor={`${id}-to`}>
        <span>To</span>
        <input
          id={`${id}-to`}
          type="date"
          value={filter.to}
          min={filter.from}
          onChange={(event) => onChange({ to: event.target.value })}
        />
      </label>
      {isEmpty ? null : (
        <Button look="quiet" onClick={() => onChange({ user: '', action: '', from: '', to: '' })}>
          Clear filters
        </Button>
      )}
    </search>
  );
}
