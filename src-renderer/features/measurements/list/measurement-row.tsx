import { memo, type MouseEvent, type ReactNode } from 'react';
import type { MeasurementSummary } from '../../../api/requests/types.ts';
import { useUnits } from '../../../context/context.ts';
import {
  countOf,
  exactBytes,
  formatBytes,
  formatCount,
  type SizeUnits,
} from '../../../../src-shared/format/quantities.ts';
import { Moment } from '../../../ui/figures/moment.tsx';
import { VirtualRow, type RowPlace } from '../../../ui/lists/virtual-list.tsx';
import rowStyles from '../../../ui/lists/virtual-list.module.css';
import { foldsTitle, type Column } from './columns.ts';
import type { DragOut } from '../../../context/drag-out.ts';
import lines from '../../../ui/styles/two-lines.module.css';
import { plainText } from '../../../../src-shared/format/shown-text.ts';
import styles from './measurement-list.module.css';
import { StateWord } from './state-word.tsx';

export interface MeasurementRowProps extends RowPlace {
  readonly row: MeasurementSummary | undefined;
  readonly shown: readonly Column[];
  readonly dragOut: DragOut;
  readonly onClick: (event: MouseEvent, row: MeasurementSummary, index: number) => void;
  readonly onMenu: (row: MeasurementSummary, index: number) => void;
}

function Name({ row }: { readonly row: MeasurementSummary }) {
  return (
    <span className={styles['name']} title={row.id}>
      {row.id}
    </span>
  );
}

function Title({ row }: { readonly row: MeasurementSummary }) {
  return row.title === row.id ? null : (
    <span className={styles['title']} title={plainText(row.title)}>
      {plainText(row.title)}
    </span>
  );
}

function cellOf(column: Column, row: MeasurementSummary, units: SizeUnits): ReactNode {
  switch (column.sort) {
    case 'id':
      return <Name row={row} />;
    case 'title':
      return <Title row={row} />;
    case 'file_count':
      return formatCount(row.file_count);
    case 'total_bytes':
      return <span title={exactBytes(row.total_bytes)}>{formatBytes(row.total_bytes, units)}</span>;
    case 'state':
      return <StateWord measurement={row} />;
    case 'created_at':
      return <Moment at={row.registered_at ?? row.created_at} />;
  }
}

/** One row; grey bars until its page is loaded. */
export const MeasurementRow = memo(function MeasurementRow(props: MeasurementRowProps) {
  const { row, shown, dragOut, onClick, onMenu, ...rest } = props;
  const units = useUnits();
  const { index, narrow } = rest;
  const place = { id: `measurement-${index}`, ...rest };
  if (row === undefined) {
    return (
      <VirtualRow {...place}>
        {(narrow ? shown.slice(0, 1) : shown).map((column) => (
          <div
            key={column.sort}
            role="gridcell"
            aria-label={`${column.word}, not loaded yet`}
            className={column.numeric ? rowStyles['numeric'] : rowStyles['cell']}
          >
            <span className={rowStyles['blank']} />
          </div>
        ))}
      </VirtualRow>
    );
  }
  return (
    <VirtualRow
      {...place}
      onClick={(event) => onClick(event, row, index)}
      onMenu={() => onMenu(row, index)}
      {...(dragOut.enabled
        ? { drag: (event: { preventDefault: () => void }) => dragOut.start(event, row.id, null) }
        : {})}
    >
      {narrow ? (
        <div role="gridcell" className={lines['stack']}>
          <span className={styles['first']}>
            <Name row={row} />
            <Title row={row} />
          </span>
          <span className={lines['sub']}>
            <StateWord measurement={row} />
            <span className="digits">
              {countOf(row.file_count, 'file')} · {formatBytes(row.total_bytes, units)}
            </span>
          </span>
        </div>
      ) : (
        shown.map((column) =>
          column.sort === 'id' && foldsTitle(shown) ? (
            // Two cells in the space of one, so that screen readers announce each.
            <div key="both" role="presentation" className={`${rowStyles['cell']} ${styles['both']}`}>
              <div role="gridcell">
                <Name row={row} />
              </div>
              <div role="gridcell">
                <Title row={row} />
              </div>
            </div>
          ) : (
            <div
              key={column.sort}
              role="gridcell"
              className={column.numeric ? rowStyles['numeric'] : `${rowStyles['cell']} ${styles['cell']}`}
            >
              {cellOf(column, row, units)}
            </div>
          ),
        )
      )}
    </VirtualRow>
  );
});
