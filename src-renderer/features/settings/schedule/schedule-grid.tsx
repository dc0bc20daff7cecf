import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { narrowQuery, useMedia } from '../../../ui/hooks/use-media.ts';
import { days, hourAt, hoursOfDay, painted, type Schedule } from './schedule.ts';
import styles from './schedule-grid.module.css';

export interface ScheduleGridProps {
  readonly value: Schedule;
  readonly onChange: (value: Schedule) => void;
}

const rightArrow = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] } as const;

/**
 * The hours of the week, each switched on or off. The mouse paints a rectangle with the new state
 * of its first hour; on the keyboard arrows move, Space switches, and arrows with Shift paint with
 * the state of the starting hour. On a narrow page the days are columns and the hours rows.
 */
export function ScheduleGrid({ value, onChange }: ScheduleGridProps) {
  const sideways = useMedia(narrowQuery);
  const [rows, columns] = sideways ? [hoursOfDay, days.length] : [days.length, hoursOfDay];
  const indexAt = (row: number, column: number): number => (sideways ? hourAt(column, row) : hourAt(row, column));
  const grid = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  const [painting, setPainting] = useState<{
    readonly from: number;
    readonly runs: boolean;
    readonly before: Schedule;
  } | null>(null);

  useEffect(() => {
    if (painting === null) return undefined;
    const end = (): void => setPainting(null);
    window.addEventListener('pointerup', end);
    window.addEventListener('pointercancel', end);
    return () => {
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', end);
    };
  }, [painting]);

  function onKeyDown(event: KeyboardEvent, row: number, column: number): void {
    const target = targetOf(event, row, column);
    if (target === null) return;
    event.preventDefault();
    const index = indexAt(...target);
    if (event.shiftKey) onChange(painted(value, indexAt(row, column), index, value[indexAt(row, column)] === '1'));
    setCurrent(index);
    grid.current?.querySelector<HTMLElement>(`[data-hour="${index}"]`)?.focus();
  }

  function targetOf(event: KeyboardEvent, row: number, column: number): [number, number] | null {
    if (event.key === 'Home') return [row, 0];
    if (event.key === 'End') return [row, columns - 1];
    const step = Object.hasOwn(rightArrow, event.key) ? rightArrow[event.key as keyof typeof rightArrow] : null;
    if (step === null) return null;
    return [Math.min(rows - 1, Math.max(0, row + step[0])), Math.min(columns - 1, Math.max(0, column + step[1]))];
  }

  return (
    <div
      ref={grid}
      role="grid"
      aria-label="Hours in which fetching runs"
      aria-multiselectable
      className={`${styles['grid']} ${sideways ? styles['sideways'] : ''}`}
    >
      <div role="row" className={styles['row']}>
        <span role="columnheader">
          <span className="visually-hidden">{sideways ? 'Hour' : 'Day'}</span>
        </span>
        {Array.from({ length: columns }, (_, column) => (
          <span key={column} role="columnheader" className={styles['head']}>
            <Head
              long={sideways ? days[column] : `${column}:00`}
              short={sideways ? days[column]?.slice(0, 2) : column % 3 === 0 ? String(column) : ''}
            />
          </span>
        ))}
      </div>
      {Array.from({ length: rows }, (_row, row) => (
        <div key={row} role="row" className={styles['row']}>
          <span role="rowheader" className={styles['day']}>
            <Head
              long={sideways ? `${row}:00` : days[row]}
              short={sideways ? (row % 3 === 0 ? String(row) : '') : days[row]?.slice(0, 3)}
            />
          </span>
          {Array.from({ length: columns }, (_column, column) => {
            const index = indexAt(row, column);
            const runs = value[index] === '1';
            const day = sideways ? column : row;
            const hour = sideways ? row : column;
            return (
              <button
                key={index}
                type="button"
                role="gridcell"
                data-hour={index}
                className={styles['hour']}
                aria-selected={runs}
                aria-label={`${days[day]} ${hour}:00 to ${hour + 1}:00`}
                title={`${days[day]} ${hour}:00 to ${hour + 1}:00`}
                tabIndex={index === current ? 0 : -1}
                onFocus={() => setCurrent(index)}
                onKeyDown={(event) => onKeyDown(event, row, column)}
                onClick={(event) => {
                  // Mouse clicks were handled by painting; this click comes from the keyboard.
                  if (event.detail === 0) onChange(painted(value, index, index, !runs));
                }}
                onPointerDown={(event) => {
                  if (event.button !== 0) return;
                  // Touch captures the pointer on its first element, which would prevent entering
                  // other hours.
                  event.currentTarget.releasePointerCapture(event.pointerId);
                  setPainting({ from: index, runs: !runs, before: value });
                  onChange(painted(value, index, index, !runs));
                }}
                onPointerEnter={() => {
                  if (painting !== null) onChange(painted(painting.before, painting.from, index, painting.runs));
                }}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}

/** The label for screen readers, and the visible one. */
function Head({ long, short }: { readonly long: string | undefined; readonly short: string | undefined }) {
  return (
    <>
      <span className="visually-hidden">{long}</span>
      <span aria-hidden>{short}</span>
    </>
  );
}
