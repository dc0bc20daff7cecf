import { memo, type MouseEvent, type ReactNode } from 'react';
import type { MeasurementSort, RemoteMeasurement } from '../../api/requests/types.ts';
import { useUnits } from '../../context/context.ts';
import { countOf, exactBytes, formatBytes, formatCount } from '../../../src-shared/format/quantities.ts';
import { plainText } from '../../../src-shared/format/shown-text.ts';
import { Moment } from '../../ui/figures/moment.tsx';
import lines from '../../ui/styles/two-lines.module.css';
import { VirtualRow, type RowPlace, BlankRow } from '../../ui/lists/virtual-list.tsx';
import rowStyles from '../../ui/lists/virtual-list.module.css';
import styles from './remote-list.module.css';
import { RemoteState } from './remote-state.tsx';

interface RemoteColumn {
  readonly id: 'name' | 'title' | 'files' | 'size' | 'state' | 'added';
  readonly sort: MeasurementSort;
  readonly word: string;
  readonly track: string;
  readonly numeric: boolean;
  readonly from: number;
}

/** In a narrower list the titles are beside the names. */
const titlesFrom = 760;

/** The columns of a server's measurements. */
export const columns: readonly RemoteColumn[] = [
  { id: 'name', sort: 'id', word: 'Name', track: 'minmax(120px, 1fr)', numeric: false, from: 0 },
  { id: 'title', sort: 'title', word: 'Title', track: 'minmax(160px, 1.4fr)', numeric: false, from: titlesFrom },
  { id: 'files', sort: 'file_count', word: 'Files', track: '64px', numeric: true, from: 520 },
  { id: 'size', sort: 'total_bytes', word: 'Size', track: '84px', numeric: true, from: 0 },
  { id: 'state', sort: 'state', word: 'State', track: '116px', numeric: false, from: 640 },
  { id: 'added', sort: 'created_at', word: 'Added', track: '96px', numeric: false, from: 520 },
];

interface RemoteRowProps extends Omit<RowPlace, 'open'> {
  readonly row: RemoteMeasurement | undefined;
  readonly shown: readonly RemoteColumn[];
  readonly onClick: (event: MouseEvent, row: RemoteMeasurement, index: number) => void;
  readonly onMenu: (row: RemoteMeasurement, index: number) => void;
}

/** A measurement of another server, or a placeholder until it is loaded. */
export const RemoteRow = memo(function RemoteRow({ row, shown, onClick, onMenu, ...rest }: RemoteRowProps) {
  const units = useUnits();
  const { index, narrow } = rest;
  const place = { ...rest, open: false };
  if (row === undefined) {
    return <BlankRow id={`remote-at-${index}`} {...place} cells={narrow ? 1 : shown.length} />;
  }
  const { name, title, names } = namesOf(row);
  const cell = (id: RemoteColumn['id']): ReactNode => {
    switch (id) {
      case 'name':
        return shown.some((column) => column.id === 'title') ? name : names;
      case 'title':
        return title;
      case 'files':
        return formatCount(row.file_count);
      case 'size':
        return <span title={exactBytes(row.total_bytes)}>{formatBytes(row.total_bytes, units)}</span>;
      case 'state':
        return <RemoteState state={row.state} />;
      case 'added':
        return <Moment at={row.created_at} />;
    }
  };
  return (
    <VirtualRow
      id={`remote-${row.id}`}
      {...place}
      onClick={(event) => onClick(event, row, index)}
      onMenu={() => onMenu(row, index)}
    >
      {narrow ? (
        <div role="gridcell" className={lines['stack']}>
          {names}
          <span className={lines['sub']}>
            <span>
              {countOf(row.file_count, 'file')} · {formatBytes(row.total_bytes, units)}
            </span>
            <Moment at={row.created_at} />
          </span>
        </div>
      ) : (
        shown.map(({ id, numeric }) => (
          <div key={id} role="gridcell" className={numeric ? rowStyles['numeric'] : rowStyles['cell']}>
            {cell(id)}
          </div>
        ))
      )}
    </VirtualRow>
  );
});

function namesOf({ id, title: text }: RemoteMeasurement) {
  const name = (
    <bdi className={styles['id']} title={id}>
      {id}
    </bdi>
  );
  const title =
    text === id ? null : (
      <bdi className={styles['title']} title={plainText(text)}>
        {plainText(text)}
      </bdi>
    );
  const names = (
    <span className={styles['names']}>
      {name}
      {title}
    </span>
  );
  return { name, title, names };
}
