import type { AuditFilter } from '../../api/queries/account-queries.ts';
import { FilterFields, SelectFilter, UserFilter } from '../../ui/controls/filter-fields.tsx';
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
  const isKnown =
    filter.action === '' ||
    actionGroups.some(({ prefix, actions }) => filter.action === prefix || filter.action in actions);
  return (
    <FilterFields
      label="Which events"
      filter={filter}
      onDays={onChange}
      onClear={() => onChange({ user: '', action: '', from: '', to: '' })}
      className={styles['filters']}
    >
      <UserFilter user={filter.user} suggests onChange={(user) => onChange({ user })} />
      <SelectFilter label="What" value={filter.action} onChange={(action) => onChange({ action })}>
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
      </SelectFilter>
    </FilterFields>
  );
}
