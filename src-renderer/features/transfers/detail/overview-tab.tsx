import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import type { Fetch } from '../../../api/requests/types.ts';
import { useApp, useUnits } from '../../../context/context.ts';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import {
  exactBytes,
  formatBytes,
  formatCount,
  formatRate,
  type SizeUnits,
} from '../../../../src-shared/format/quantities.ts';
import { formatDuration } from '../../../../src-shared/format/times.ts';
import { Moment } from '../../../ui/figures/moment.tsx';
import { ScrollRegion } from '../../../ui/layout/scroll-region.tsx';
import { FetchReceipt } from './fetch-receipt.tsx';
import styles from './transfer-detail.module.css';
import facts from '../../../ui/styles/facts.module.css';

const dash = '–';

/** Source, target, progress and times of a transfer. */
export function OverviewTab({ fetch }: { readonly fetch: Fetch }) {
  const { queries } = useApp();
  const units = useUnits();
  const full = fetch.reason === 'disk-full';
  const folder = useQuery({ ...queries.fetchFolder(fetch.target), enabled: full });
  const running = fetch.state === 'running';
  const total = fetch.bytes_total;
  const rows: readonly (readonly [string, ReactNode] | null)[] = [
    [
      'Measurement',
      <span key="measurement" className={styles['copied']}>
        <code>{fetch.measurement_id}</code> <CopyButton text={fetch.measurement_id} label="Copy the id" small />
      </span>,
    ],
    [
      'From',
      fetch.server_id === null ? (
        `${fetch.server_name}, which is no longer in the list`
      ) : (
        <Link key="server" to="/servers/$serverId" params={{ serverId: String(fetch.server_id) }}>
          {fetch.server_name}
        </Link>
      ),
    ],
    [
      'Into',
      <span key="target" className={styles['copied']}>
        <code>{fetch.target}</code> <CopyButton text={fetch.target} label="Copy the path" small />
      </span>,
    ],
    ['As', fetch.what === 'files' ? 'files' : fetch.unpack ? 'one ZIP, unpacked on arrival' : 'one ZIP'],
    [
      'Files',
      fetch.files_total === null ? dash : `${formatCount(fetch.files_done)} of ${formatCount(fetch.files_total)}`,
    ],
    ['On the disk', <Amount key="done" bytes={fetch.bytes_done} total={total} />],
    ['Verified', <Amount key="verified" bytes={fetch.bytes_verified} total={total} />],
    full && total !== null ? ['Room', roomText(total - fetch.bytes_done, folder.data?.free_bytes, units)] : null,
    ...(running ? runningRows(fetch, units) : []),
    fetch.attempts > 1 ? ['Attempts', formatCount(fetch.attempts)] : null,
    ['Added', <Moment key="created" at={fetch.created_at} />],
    fetch.started_at === null ? null : ['Started', <Moment key="started" at={fetch.started_at} />],
    fetch.ended_at === null ? null : ['Ended', <Moment key="ended" at={fetch.ended_at} />],
    fetch.verified_at === null ? null : ['Last verified', <Moment key="verified-at" at={fetch.verified_at} />],
    fetch.state === 'done' ? ['Receipt', <FetchReceipt key="receipt" fetch={fetch} />] : null,
  ];
  return (
    <ScrollRegion className={styles['body']} label="Overview">
      <dl className={`${facts['plain']} ${styles['grid']}`}>
        {rows.map((row) =>
          row === null ? null : (
            <Fragment key={row[0]}>
              <dt>{row[0]}</dt>
              <dd>{row[1]}</dd>
            </Fragment>
          ),
        )}
      </dl>
    </ScrollRegion>
  );
}

function roomText(needed: number, free: number | null | undefined, units: SizeUnits): string {
  return `${formatBytes(Math.max(0, needed), units)} needed${
    typeof free === 'number' ? `, ${formatBytes(free, units)} free` : ''
  }`;
}

function runningRows(fetch: Fetch, units: SizeUnits): readonly (readonly [string, string])[] {
  const connections = `${formatCount(fetch.connections)} ${fetch.connections === 1 ? 'connection' : 'connections'}`;
  return [
    ['Rate', `${formatRate(fetch.bytes_per_second, units)} over ${connections}`],
    ['Time left', fetch.seconds_left === null ? dash : formatDuration(fetch.seconds_left)],
  ];
}

function Amount({ bytes, total }: { readonly bytes: number; readonly total: number | null }) {
  const units = useUnits();
  return (
    <span title={exactBytes(bytes)}>
      {formatBytes(bytes, units)}
      {total === null ? '' : ` of ${formatBytes(total, units)}`}
    </span>
  );
}
