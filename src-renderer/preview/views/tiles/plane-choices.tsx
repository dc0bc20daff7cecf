import { formatCount } from '../../../../src-shared/format/quantities.ts';
import { lineText } from '../../../../src-shared/format/shown-text.ts';
import field from '../../../ui/controls/field.module.css';
import type { PageLayout } from '../../messages/raster.ts';
import styles from './tiles.module.css';

export interface PlaneChoicesProps {
  readonly layout: PageLayout;
  readonly at: readonly number[];
  readonly sample: number | null;
  readonly onPlace: (at: readonly number[]) => void;
  readonly onSample: (sample: number | null) => void;
}

/** Chooses a page: by channel, depth and time where they are known, and a value of its pixels. */
export function PlaneChoices({ layout, at, sample, onPlace, onSample }: PlaneChoicesProps) {
  const { axes, hasMore, samples, hasColours } = layout;
  const choose = (axis: number, place: number): void =>
    onPlace(axes.map((_, other) => (other === axis ? place : (at[other] ?? 0))));
  return (
    <>
      {axes.map(({ name, length, labels }, axis) =>
        length < 2 ? null : labels.length > 0 ? (
          <label key={name} className={field['field']}>
            <span className={field['label']}>{lineText(name)}</span>
            <select
              className={field['input']}
              value={at[axis] ?? 0}
              onChange={(event) => choose(axis, Number(event.target.value))}
            >
              {labels.map((label, place) => (
                // oxlint-disable-next-line react/no-array-index-key -- A channel is known by its position alone.
                <option key={place} value={place}>
                  {lineText(label, 60)}
                </option>
              ))}
            </select>
          </label>
        ) : (
          <label key={name} className={styles['slider']}>
            <span>
              {lineText(name)} {formatCount((at[axis] ?? 0) + 1)} of {hasMore ? 'at least ' : ''}
              {formatCount(length)}
            </span>
            <input
              type="range"
              min={0}
              max={length - 1}
              value={at[axis] ?? 0}
              onChange={(event) => choose(axis, Number(event.target.value))}
            />
          </label>
        ),
      )}
      {samples < 2 ? null : (
        <label className={field['field']}>
          <span className={field['label']}>Values</span>
          <select
            className={field['input']}
            value={sample ?? (hasColours ? -1 : 0)}
            onChange={(event) => onSample(Number(event.target.value) < 0 ? null : Number(event.target.value))}
          >
            {hasColours ? <option value={-1}>Colours</option> : null}
            {Array.from({ length: Math.min(samples, 100) }, (_, one) => (
              <option key={one} value={one}>
                {formatCount(one + 1)} of {formatCount(samples)}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  );
}
