import { everyDownload, type DownloadFilter } from '../../api/queries/download-queries.ts';
import { FilterFields, SelectFilter, UserFilter } from '../../ui/controls/filter-fields.tsx';
import { Options } from '../../ui/controls/text-field.tsx';
import styles from './download-history.module.css';
import { outcomeChoices } from './download-words.ts';

interface DownloadFiltersProps {
  readonly filter: DownloadFilter;
  readonly onChange: (change: Partial<DownloadFilter>) => void;
}

/** Filters of downloads: user, result and start. */
export function DownloadFilters({ filter, onChange }: DownloadFiltersProps) {
  return (
    <FilterFields
      label="Which downloads"
      filter={filter}
      onDays={onChange}
      onClear={() => onChange(everyDownload)}
      className={styles['filters']}
    >
      <UserFilter label="User name" user={filter.user} onChange={(user) => onChange({ user })} />
      <SelectFilter label="Outcome" value={filter.outcome} onChange={(outcome) => onChange({ outcome })}>
        <Options of={outcomeChoices} />
      </SelectFilter>
    </FilterFields>
  );
}
