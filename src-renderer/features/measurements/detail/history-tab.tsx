import { useInfiniteQuery } from '@tanstack/react-query';
import { CircleCheck, CircleSlash, LoaderCircle } from 'lucide-react';
import { useState } from 'react';
import type { MeasurementDetail, TransferRecord } from '../../../api/requests/types.ts';
import { useApp, useUnits } from '../../../context/context.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { EmptyState } from '../../../ui/notes/empty-state.tsx';
import {
  countOf,
  exactBytes,
  formatBytes,
  formatCount,
  formatTotal,
} from '../../../../src-shared/format/quantities.ts';
import { Moment } from '../../../ui/figures/moment.tsx';
import { NotLoaded } from '../../../ui/notes/not-loaded.tsx';
import { useNow } from '../../../ui/hooks/use-now.ts';
import { DownloadHistory } from '../../downloads/download-history.tsx';
import { ScrollRegion } from '../../../ui/layout/scroll-region.tsx';
import rows from '../../downloads/download-history.module.css';
import styles from './history-tab.module.css';
import { describeTransfer, outcomeOf } from '../../../words/transfer-words.ts';

const icons = { running: LoaderCircle, good: CircleCheck, bad: CircleSlash } as const;

function TransferRow({ transfer }: { readonly transfer: TransferRecord }) {
  const units = useUnits();
  const outcome = outcomeOf(transfer, useNow());
  const Icon = icons[outcome.kind];
  const who = [transfer.user ?? 'nobody signed in', transfer.token, transfer.application, transfer.address]
    .filter((part) => part !== null)
    .join(' · ');
  return (
    <li className={styles['row']}>
      <Icon aria-hidden className={styles[outcome.kind]} />
      <div className="column">
        <span className={styles['what']}>
          <span>{describeTransfer(transfer)}</span>
          <span className={rows['size']} title={exactBytes(transfer.bytes_sent)}>
            {formatBytes(transfer.bytes_sent, units)}
          </span>
        </span>
        <span className={rows['more']}>
          <span title={transfer.user_agent ?? ''}>{who}</span>
          <span>
            {outcome.kind === 'good' ? '' : `${outcome.word} · `}
            <Moment at={transfer.started_at} />
          </span>
        </span>
      </div>
    </li>
  );
}

/** The downloads of a measurement. */
export function HistoryTab({ measurement }: { readonly measurement: MeasurementDetail }) {
  const [single, setSingle] = useState(false);
  return (
    <DownloadHistory
      measurementId={measurement.id}
      transfers={<SingleTransfers measurement={measurement} />}
      single={single}
      onSingle={setSingle}
    />
  );
}

/** Every transfer of a measurement, the newest first. */
function SingleTransfers({ measurement }: { readonly measurement: MeasurementDetail }) {
  const { queries } = useApp();
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    queries.transfers(measurement.id),
  );
  const transfers = (data?.pages ?? []).flatMap((page) => page.items);
  const { total = 0, more = false } = data?.pages.at(-1) ?? {};
  if (data === undefined) return <NotLoaded of={{ data, error, refetch }} className="padded" />;
  if (data !== undefined && transfers.length === 0)
    return (
      <EmptyState title="Nobody has fetched any of it yet.">
        Every transfer is recorded here: who, with which token, from where, and how it ended.
      </EmptyState>
    );
  return (
    <ScrollRegion className={rows['scroller']} label="Transfers">
      <ul>
        {transfers.map((transfer) => (
          <TransferRow key={transfer.id} transfer={transfer} />
        ))}
      </ul>
      {data === undefined ? null : (
        <p className={rows['foot']}>
          {hasNextPage ? (
            <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {more ? 'Show older' : `Show older, ${formatCount(total - transfers.length)} more`}
            </Button>
          ) : more ? (
            `The last ${formatCount(transfers.length)} of ${formatTotal(total, more)} transfers`
          ) : (
            countOf(total, 'transfer')
          )}
        </p>
      )}
    </ScrollRegion>
  );
}
