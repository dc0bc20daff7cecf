import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight, TriangleAlert } from 'lucide-react';
import { useStore } from 'zustand';
import type { Intake } from '../../../api/queries/error-queries.ts';
import type { EventCounts, EventPeriod } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { countOf, formatCount } from '../../../../src-shared/format/quantities.ts';
import { Note } from '../../../ui/notes/note.tsx';
import screen from '../../../ui/layout/screen.module.css';
import { useNow } from '../../../ui/hooks/use-now.ts';
import { AxisChart } from '../../../ui/figures/axis-chart.tsx';
import { dayLabel, dayTicks, hourLabel, hourTicks } from '../event/event-times.ts';
import styles from './project-chart.module.css';
import { refusedCount, refusedWords } from './refused-words.ts';

const periods: readonly { readonly period: EventPeriod; readonly word: string; readonly label: string }[] = [
  { period: '24h', word: '24 h', label: 'Last 24 hours' },
  { period: '14d', word: '14 d', label: 'Last 14 days' },
  { period: '90d', word: '90 d', label: 'Last 90 days' },
];

export interface ProjectChartProps {
  readonly projectId: number;
  readonly intake: Intake | undefined;
}

/**
 * Events that a project received over time, and how many were refused. Both can be folded, for all
 * projects.
 */
export function ProjectChart({ projectId, intake }: ProjectChartProps) {
  const { preferences, queries } = useApp();
  const { errorChart: chosen, errorChartOpen: open, refusalsFolded: folded, change } = useStore(preferences);
  const { data } = useQuery({ ...queries.eventCounts(projectId, chosen), enabled: open });
  const refused = refusedCount(intake);
  const words = refusedWords(intake);
  return (
    <>
      <div className={styles['head']}>
        <Button
          look="quiet"
          icon={open ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
          aria-expanded={open}
          onClick={() => change({ errorChartOpen: !open })}
        >
          Events received
        </Button>
        {open ? (
          <span className={screen['choices']} role="group" aria-label="Period of the chart">
            {periods.map(({ period, word, label }) => (
              <button
                key={period}
                type="button"
                aria-pressed={period === chosen}
                title={label}
                onClick={() => change({ errorChart: period })}
              >
                {word}
              </button>
            ))}
          </span>
        ) : null}
        {folded && refused > 0 ? (
          <Button look="quiet" icon={<TriangleAlert aria-hidden />} onClick={() => change({ refusalsFolded: false })}>
            {formatCount(refused)} refused
          </Button>
        ) : null}
      </div>
      {open && data !== undefined ? (
        <div className={styles['chart']}>
          <Chart data={data} period={chosen} />
        </div>
      ) : null}
      {words === null || folded ? null : (
        <div className={styles['note']}>
          <Note kind="warn">
            <span className={styles['refused']}>
              {words}
              <Button look="quiet" onClick={() => change({ refusalsFolded: true })}>
                Hide the chart
              </Button>
            </span>
          </Note>
        </div>
      )}
    </>
  );
}

function Chart({ data, period }: { readonly data: EventCounts; readonly period: EventPeriod }) {
  const now = useNow();
  const { steps } = data;
  const byHour = data.step_hours === 1;
  const label = periods.find((one) => one.period === period)?.label ?? '';
  const at = (position: number): string => {
    const back = steps.length - 1 - position;
    const refused = steps[position]?.refused ?? 0;
    const time = byHour
      ? `${period === '24h' ? '' : `${dayLabel(new Date(steps[position]?.at ?? now), 0)}, `}${hourLabel(now, back)}`
      : dayLabel(now, back);
    return refused === 0 ? time : `${time}, ${countOf(refused, 'event')} refused`;
  };
  const ticks =
    period === '24h' ? hourTicks(now, steps.length) : byHour ? dayTicks(now, 14, 2, 24) : dayTicks(now, 90, 14);
  return <AxisChart counts={steps.map(({ accepted }) => accepted)} label={label} at={at} height={56} ticks={ticks} />;
}
