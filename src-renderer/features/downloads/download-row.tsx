import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronRight, CircleCheck, CircleDashed, CircleSlash, LoaderCircle } from 'lucide-react';
import { useId, useState } from 'react';
import type { Download, TransferRecord } from '../../api/requests/types.ts';
import { useApp, useUnits } from '../../context/context.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { exactBytes, formatBytes, formatCount } from '../../../src-shared/format/quantities.ts';
import { formatDuration } from '../../../src-shared/format/times.ts';
import { Moment } from '../../ui/figures/moment.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { StatusWord } from '../../ui/notes/status-word.tsx';
import { useNow } from '../../ui/hooks/use-now.ts';
import { describeTransfer, outcomeOf } from '../../words/transfer-words.ts';
import styles from './download-history.module.css';
import { endOf, shareOf } from './download-words.ts';

const looks = {
  running: { tone: 'quiet', icon: LoaderCircle },
  good: { tone: 'ok', icon: CircleCheck },
  part: { tone: 'quiet', icon: CircleDashed },
  bad: { tone: 'warn', icon: CircleSlash },
} as const;

interface DownloadRowProps {
  readonly download: Download;
  /** Set where the list covers several measurements. */
  readonly namesMeasurement: boolean;
}

/** One download, which expands to its files. */
export function DownloadRow({ download, namesMeasurement }: DownloadRowProps) {
  const units = useUnits();
  const id = useId();
  const [open, setOpen] = useState(false);
  const { kind, word } = endOf(download);
  const { tone, icon } = looks[kind];
  const who = download.username ?? 'a removed user';
  const more = [download.token_name ?? download.application_name, download.address, download.user_agent]
    .filter((part) => part !== null)
    .join(' · ');
  const seconds = (new Date(download.last_at).getTime() - new Date(download.started_at).getTime()) / 1000;
  return (
    <li>
      <div className={styles['row']}>
        <IconButton
          label={`Files that ${who} fetched`}
          icon={open ? <ChevronDown /> : <ChevronRight />}
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={() => setOpen(!open)}
        />
        <div className={styles['text']}>
          <span className={styles['line']}>
            <span className={styles['who']}>{who}</span>
            {namesMeasurement ? (
              <Link to="/measurements/$measurementId" params={{ measurementId: download.measurement_id }}>
                {download.measurement_id}
              </Link>
            ) : null}
            <span>{shareOf(download)}</span>
            <span className={styles['size']} title={exactBytes(download.bytes_sent)}>
              {formatBytes(download.bytes_sent, units)}
            </span>
          </span>
          <span className={styles['more']}>
            <span title={more}>{more}</span>
            <span>
              <Moment at={download.started_at} />
              {seconds >= 1 ? ` · ${formatDuration(seconds)}` : ''}
            </span>
          </span>
        </div>
        <span className={styles['end']}>
          <StatusWord tone={tone} icon={icon} word={word} />
        </span>
      </div>
      {open ? <Files id={id} download={download} /> : null}
    </li>
  );
}

function Files({ id, download }: { readonly id: string; readonly download: Download }) {
  const { queries } = useApp();
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    queries.transfersOfDownload(download.id),
  );
  const transfers = (data?.pages ?? []).flatMap((page) => page.items);
  const total = data?.pages.at(-1)?.total ?? 0;
  return (
    <div id={id} className={styles['files']}>
      <NotLoaded of={{ data, error, refetch }} className="padded" />
      <ul aria-label="Files">
        {transfers.map((transfer) => (
          <FileRow key={transfer.id} transfer={transfer} />
        ))}
      </ul>
      {data !== undefined && transfers.length === 0 ? (
        <p className="padded">The individual files are no longer recorded.</p>
      ) : null}
      {hasNextPage ? (
        <p className={styles['foot']}>
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show {formatCount(total - transfers.length)} more
          </Button>
        </p>
      ) : null}
    </div>
  );
}

function FileRow({ transfer }: { readonly transfer: TransferRecord }) {
  const units = useUnits();
  const { kind, word } = outcomeOf(transfer, useNow());
  const name = transfer.what === 'file' && transfer.file_index === null ? 'Small files' : describeTransfer(transfer);
  return (
    <li className={styles['file']}>
      <span className={styles['path']}>{name}</span>
      <span className={styles['fact']}>
        {[transfer.requests > 1 ? `${formatCount(transfer.requests)} times` : '', kind === 'good' ? '' : word]
          .filter((part) => part !== '')
          .join(' · ')}
      </span>
      <span className={styles['size']} title={exactBytes(transfer.bytes_sent)}>
        {formatBytes(transfer.bytes_sent, units)}
      </span>
    </li>
  );
}
