import { memo, type MouseEvent, type ReactNode } from 'react';
import type { ErrorOfProject, ErrorSummary } from '../../../api/requests/types.ts';
import { countOf, formatCount } from '../../../../src-shared/format/quantities.ts';
import { Moment } from '../../../ui/figures/moment.tsx';
import { VirtualRow, type RowPlace } from '../../../ui/lists/virtual-list.tsx';
import rowStyles from '../../../ui/lists/virtual-list.module.css';
import { Bars } from '../../../ui/figures/bars.tsx';
import lines from '../../../ui/styles/two-lines.module.css';
import styles from './error-list.module.css';
import { hourLabel } from '../event/event-times.ts';
import type { ErrorColumn } from './list-columns.ts';
import { lineText } from '../../../../src-shared/format/shown-text.ts';
import { ErrorStatusWord, LevelWord } from '../event/status-words.tsx';

export interface ErrorRowProps extends RowPlace {
  readonly row: ErrorSummary;
  readonly shown: readonly ErrorColumn[];
  readonly now: Date;
  readonly onClick: (event: MouseEvent, id: string) => void;
  readonly onMenu: (id: string) => void;
}

/** Title and location. Both are text from the sender. */
function Title({ row }: { readonly row: ErrorSummary }) {
  const value = lineText(row.value);
  return (
    <span className={styles['title']} title={lineText(row.title, 1000)}>
      <bdi className={styles['type']}>{lineText(row.type === '' ? row.title : row.type)}</bdi>
      {row.type === '' || value === '' ? null : <bdi className={styles['value']}>{value}</bdi>}
    </span>
  );
}

function Sub({ row }: { readonly row: ErrorSummary & Partial<Pick<ErrorOfProject, 'project'>> }) {
  return (
    <span className={styles['sub']}>
      <LevelWord level={row.level} />
      {row.project === undefined ? null : <bdi className={styles['project']}>{row.project.path}</bdi>}
      {row.status !== 'unresolved' || row.regressed ? <ErrorStatusWord error={row} /> : null}
      <bdi className={styles['culprit']} title={lineText(row.culprit)}>
        {lineText(row.culprit)}
      </bdi>
    </span>
  );
}

/** One error of the list. */
export const ErrorRow = memo(function ErrorRow(props: ErrorRowProps) {
  const { row, shown, now, onClick, onMenu, ...place } = props;
  const bars = (tall: number): ReactNode => (
    <Bars
      counts={row.hours}
      label="Last 24 hours"
      at={(position) => hourLabel(now, row.hours.length - 1 - position)}
      height={tall}
    />
  );
  const cell = (id: ErrorColumn['id']): ReactNode => {
    switch (id) {
      case 'title':
        return (
          <div className={lines['stack']}>
            <Title row={row} />
            <Sub row={row} />
          </div>
        );
      case 'hours':
        return bars(24);
      case 'events':
      case 'users':
        return formatCount(row[id]);
      case 'last_seen':
      case 'first_seen':
        return <Moment at={row[id]} />;
    }
  };
  return (
    <VirtualRow
      id={`error-${row.id}`}
      {...place}
      onClick={(event) => onClick(event, row.id)}
      onMenu={() => onMenu(row.id)}
    >
      {place.narrow ? (
        <div role="gridcell" className={lines['stack']}>
          <Title row={row} />
          <Sub row={row} />
          <span className={styles['figures']}>
            <span className={styles['smallBars']}>{bars(14)}</span>
            <span className="digits">
              {countOf(row.events, 'event')}, {countOf(row.users, 'user')}
            </span>
            <Moment at={row.last_seen} />
          </span>
        </div>
      ) : (
        shown.map(({ id, sort }) => (
          <div key={id} role="gridcell" className={sort === null ? rowStyles['cell'] : rowStyles['numeric']}>
            {cell(id)}
          </div>
        ))
      )}
    </VirtualRow>
  );
});
