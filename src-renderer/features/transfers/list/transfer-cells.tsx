import { memo, type ReactNode } from 'react';
import type { Fetch } from '../../../api/requests/types.ts';
import { useUnits } from '../../../context/context.ts';
import {
  countOf,
  exactBytes,
  formatBytes,
  formatRate,
  type SizeUnits,
} from '../../../../src-shared/format/quantities.ts';
import { formatDuration } from '../../../../src-shared/format/times.ts';
import { Moment } from '../../../ui/figures/moment.tsx';
import rowStyles from '../../../ui/lists/virtual-list.module.css';
import { FetchBar } from './fetch-bar.tsx';
import { FetchStatus } from './fetch-status.tsx';
import { hasEnded, nameOf, progressOf, statusOf, troubleOf } from '../../../words/fetch-words.ts';
import { RowAction, type RowVerb } from './row-action.tsx';
import type { TransferColumn } from './transfer-columns.ts';
import styles from './transfer-row.module.css';

const dash = '–';

/** Name, and below it why the fetch is stopped, or else its server. */
function Names({ fetch }: { readonly fetch: Fetch }) {
  const trouble = troubleOf(fetch);
  const { tone } = statusOf(fetch);
  return (
    <>
      <span className={styles['name']} title={`${nameOf(fetch)}\n${fetch.measurement_id}\n${fetch.target}`}>
        <bdi>{nameOf(fetch)}</bdi>
      </span>
      {trouble === null ? (
        <span className={styles['sub']} title={fetch.server_name}>
          <bdi>{fetch.server_name}</bdi>
          {fetch.files_total === null ? null : ` · ${countOf(fetch.files_total, 'file')}`}
          {fetch.what === 'archive' ? (fetch.unpack ? ', as ZIP, unpacked' : ', as ZIP') : ''}
        </span>
      ) : (
        <span
          className={`${styles['sub']} ${tone === 'bad' ? styles['bad'] : tone === 'warn' ? styles['warn'] : ''}`}
          title={trouble}
        >
          {trouble}
        </span>
      )}
    </>
  );
}

/** Progress as a bar and in numbers. */
export function FetchProgress({ fetch }: { readonly fetch: Fetch }) {
  const units = useUnits();
  const progress = progressOf(fetch);
  if (fetch.state === 'done') {
    return (
      <span className={styles['proven']}>
        {fetch.verified_at === null ? 'all there' : 'verified'}{' '}
        <Moment at={fetch.verified_at ?? fetch.ended_at ?? fetch.created_at} />
      </span>
    );
  }
  if (!hasBar(fetch)) return dash;
  return (
    <div
      className={styles['progress']}
      title={`${exactBytes(fetch.bytes_done)} on the disk, ${exactBytes(fetch.bytes_verified)} of them verified`}
    >
      <FetchBar progress={progress} label={`Progress of ${nameOf(fetch)}`} moving={isMoving(fetch)} />
      <span className={styles['amount']}>{amountWords(fetch, units)}</span>
    </div>
  );
}

function isMoving(fetch: Fetch): boolean {
  return fetch.state === 'running' && !fetch.stalled;
}

/** Before a fetch begins, an empty bar would only add noise. */
function hasBar(fetch: Fetch): boolean {
  return fetch.state === 'running' || (!hasEnded(fetch) && fetch.bytes_done > 0) || fetch.state === 'failed';
}

function amountWords(fetch: Fetch, units: SizeUnits): string {
  const { percent, counts } = progressOf(fetch);
  if (fetch.bytes_total === null) return fetch.bytes_done === 0 ? dash : formatBytes(fetch.bytes_done, units);
  const bytes = counts === 'verified' ? fetch.bytes_verified : fetch.bytes_done;
  return `${percent} %  ${ofTotal(bytes, fetch.bytes_total, units)}`;
}

/** `16.4 of 38.2 GiB`; a unit that both share is written once. */
function ofTotal(bytes: number, total: number, units: SizeUnits): string {
  const [part, whole] = [formatBytes(bytes, units), formatBytes(total, units)];
  const [number, unit] = part.split(' ');
  return `${unit === whole.split(' ')[1] ? (number ?? part) : part} of ${whole}`;
}

export interface TransferCellsProps {
  readonly fetch: Fetch;
  readonly shown: readonly TransferColumn[];
  readonly narrow: boolean;
  readonly onAct: (fetch: Fetch, verb: RowVerb) => void;
}

/** The cells of a row. Moving the cursor re-renders only the row around them. */
export const TransferCells = memo(function TransferCells({ fetch, shown, narrow, onAct }: TransferCellsProps) {
  const units = useUnits();
  const flows = fetch.state === 'running' && fetch.phase === 'fetching' && !fetch.stalled;
  const rate = flows ? formatRate(fetch.bytes_per_second, units) : dash;
  const left = fetch.state === 'running' && fetch.seconds_left !== null ? formatDuration(fetch.seconds_left) : dash;
  const cell = (column: TransferColumn): ReactNode => {
    switch (column.id) {
      case 'name':
        return (
          <div className={styles['stack']}>
            <Names fetch={fetch} />
          </div>
        );
      case 'size':
        return fetch.bytes_total === null ? (
          dash
        ) : (
          <span title={exactBytes(fetch.bytes_total)}>{formatBytes(fetch.bytes_total, units)}</span>
        );
      case 'progress':
        return <FetchProgress fetch={fetch} />;
      case 'status':
        return <FetchStatus fetch={fetch} />;
      case 'rate':
        return rate;
      case 'left':
        return left;
      case 'action':
        return <RowAction fetch={fetch} onAct={onAct} />;
    }
  };
  return narrow ? (
    <>
      <div role="gridcell" className={styles['stack']}>
        <Names fetch={fetch} />
        {hasBar(fetch) ? (
          <FetchBar progress={progressOf(fetch)} label={`Progress of ${nameOf(fetch)}`} moving={isMoving(fetch)} />
        ) : null}
        <span className={styles['figures']}>
          <FetchStatus fetch={fetch} />
          <span className="digits" title={figures(fetch, units, rate, left)}>
            {figures(fetch, units, rate, left)}
          </span>
        </span>
      </div>
      <div role="gridcell" className={styles['beside']}>
        <RowAction fetch={fetch} onAct={onAct} />
      </div>
    </>
  ) : (
    shown.map((column) => (
      <div key={column.id} role="gridcell" className={column.numeric ? rowStyles['numeric'] : rowStyles['cell']}>
        {cell(column)}
      </div>
    ))
  );
});

/** Text that fits beside the status in one line. */
function figures(fetch: Fetch, units: SizeUnits, rate: string, left: string): string {
  const files = fetch.files_total === null ? dash : countOf(fetch.files_total, 'file');
  const size = fetch.bytes_total === null ? dash : formatBytes(fetch.bytes_total, units);
  const { percent } = progressOf(fetch);
  const parts = hasBar(fetch) ? [percent === null ? dash : `${percent} % of ${size}`, rate, left] : [size, files];
  return parts.filter((part) => part !== dash).join(' · ');
}
