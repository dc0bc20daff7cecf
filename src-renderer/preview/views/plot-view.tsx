import { useState } from 'react';
import { lineText } from '../../../src-shared/format/shown-text.ts';
import { ScrollRegion } from '../../ui/layout/scroll-region.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import field from '../../ui/controls/field.module.css';
import { firstColumns } from './first-columns.ts';
import { CurveChart } from './curve-chart.tsx';
import { useAnswer, type ViewProps } from './source.ts';
import styles from './views.module.css';

/** A column of a table over another one, or over the numbers of the rows. */
export function PlotView({ source }: ViewProps) {
  const numeric = source.content.columns.flatMap((column, at) =>
    column.isNumber ? [{ at, name: lineText(column.name, 60) }] : [],
  );
  const [first] = useState(() => firstColumns(source.content.columns));
  const [x, setX] = useState(first.x);
  const [y, setY] = useState(first.y);
  const columns = numeric.map(({ at, name }) => (
    <option key={at} value={at}>
      {name}
    </option>
  ));
  const curve = useAnswer(source, 'curve', { kind: 'curve', x, y });
  return (
    <ScrollRegion label="Plot of the file" className={styles['scroller'] ?? ''}>
      <div className={styles['choices']}>
        <label className={field['field']}>
          <span className={field['label']}>Values</span>
          <select className={field['input']} value={y} onChange={(event) => setY(Number(event.target.value))}>
            {columns}
          </select>
        </label>
        <label className={field['field']}>
          <span className={field['label']}>Over</span>
          <select
            className={field['input']}
            value={x ?? -1}
            onChange={(event) => setX(Number(event.target.value) < 0 ? null : Number(event.target.value))}
          >
            <option value={-1}>Number of the row</option>
            {columns}
          </select>
        </label>
      </div>
      <NotLoaded of={curve} alsoStale className="padded" />
      {curve.data === undefined ? null : <CurveChart curve={curve.data} />}
    </ScrollRegion>
  );
}
