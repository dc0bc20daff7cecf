import { useState } from 'react';
import { formatCount } from '../../../src-shared/format/quantities.ts';
import { lineText } from '../../../src-shared/format/shown-text.ts';
import { useDebounced } from '../../ui/hooks/use-debounced.ts';
import { useRowsOnScreen } from '../../ui/lists/rows-on-screen.ts';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { PlaceBar } from './place-bar.tsx';
import { useAnswer, type ViewProps } from './source.ts';
import styles from './views.module.css';

const rowHeight = 26;
const maxColumns = 100;

/** A table, a part of the file at a time; only the rows in view are drawn. */
export function TableView({ source }: ViewProps) {
  const [offset, setOffset] = useState(0);
  const [walked, setWalked] = useState<readonly number[]>([]);
  const settled = useDebounced(offset, 100);
  const part = useAnswer(source, 'rows', { kind: 'rows', offset: settled });
  const rows = part.data?.rows ?? [];
  const columns = source.content.columns.slice(0, maxColumns);
  const { scroller, rows: shown, height } = useRowsOnScreen(rows.length, rowHeight);
  const goTo = (to: number): void => {
    const next = part.data?.next ?? null;
    setWalked(to === next ? [...walked, offset] : to === walked.at(-1) ? walked.slice(0, -1) : []);
    setOffset(to);
    scroller.current?.scrollTo({ top: 0 });
  };
  const first = part.data?.firstRow ?? 1;
  const hidden = source.content.columns.length - columns.length;
  return (
    <>
      <PlaceBar
        offset={offset}
        length={source.length}
        before={offset === 0 ? null : (walked.at(-1) ?? 0)}
        next={part.data?.next ?? null}
        onChange={goTo}
      />
      <p className={styles['said']} role="status">
        {part.data === undefined
          ? ''
          : `${part.data.isCounted ? '' : 'About '}${part.data.isCounted ? 'Rows' : 'rows'} ${formatCount(first)} to ${formatCount(first + rows.length - 1)}`}
        {hidden > 0 ? `, without the last ${formatCount(hidden)} columns` : ''}
      </p>
      <NotLoaded of={part} alsoStale className="padded" />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A scrolling region must be reachable by keyboard. */}
      <div ref={scroller} className={styles['table']} tabIndex={0} role="region" aria-label="Table of the file">
        <div role="table" aria-label="Rows" aria-rowcount={rows.length + 1} className={styles['grid']}>
          <div role="rowgroup" className={styles['heads']}>
            <div role="row" aria-rowindex={1} className={styles['cells']}>
              <span role="columnheader">Row</span>
              {columns.map((column, at) => (
                // oxlint-disable-next-line react/no-array-index-key -- Names of columns may repeat.
                <span
                  role="columnheader"
                  key={at}
                  title={lineText(column.name)}
                  className={column.isWide ? styles['wide'] : ''}
                >
                  {lineText(column.name)}
                </span>
              ))}
            </div>
          </div>
          <div role="rowgroup" style={{ height, position: 'relative' }}>
            {shown.map(({ index, start }) => (
              <div
                key={index}
                role="row"
                aria-rowindex={index + 2}
                className={`${styles['cells']} ${styles['line']}`}
                style={{ transform: `translateY(${start}px)` }}
              >
                <span role="rowheader">{formatCount(first + index)}</span>
                {columns.map((column, at) => (
                  // oxlint-disable-next-line react/no-array-index-key -- Names of columns may repeat.
                  <span
                    role="cell"
                    key={at}
                    title={column.isWide ? lineText(rows[index]?.[at] ?? '') : undefined}
                    className={column.isNumber ? styles['number'] : column.isWide ? styles['wide'] : ''}
                  >
                    {lineText(rows[index]?.[at] ?? '')}
                  </span>
                ))}
              </div>
            ))}
          </div>
        </div>
      </div>
    </>
  );
}
