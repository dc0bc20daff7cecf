import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleSlash, LoaderCircle } from 'lucide-react';
import type { PastTransfer } from '../../api/requests/types.ts';
import { useUnits } from '../../context/context.ts';
import { exactBytes, formatBytes } from '../../../src-shared/format/quantities.ts';
import { Moment } from '../../ui/figures/moment.tsx';
import { StatusWord } from '../../ui/notes/status-word.tsx';
import table from '../../ui/lists/table.module.css';
import { useNow } from '../../ui/hooks/use-now.ts';
import { describeTransfer, outcomeOf } from '../../words/transfer-words.ts';
import styles from './sharing-table.module.css';
import { credentialWords } from './sharing-words.ts';

const looks = {
  running: { tone: 'quiet', icon: <LoaderCircle aria-hidden /> },
  good: { tone: 'ok', icon: <CircleCheck aria-hidden /> },
  bad: { tone: 'warn', icon: <CircleSlash aria-hidden /> },
} as const;

/**
 * Past transfers, the newest first. There is nothing to select, so it is a plain table that scrolls
 * by keyboard.
 */
export function PastTable({ transfers }: { readonly transfers: readonly PastTransfer[] }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A scrolling region must be reachable by keyboard.
    <div className={table['scroller']} role="region" aria-label="Past transfers" tabIndex={0}>
      <table className={`${table['table']} ${styles['transfers']}`}>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">To</th>
            <th scope="col">When</th>
            <th scope="col">Sent</th>
            <th scope="col">End</th>
          </tr>
        </thead>
        <tbody>
          {transfers.map((transfer) => (
            <PastRow key={transfer.id} transfer={transfer} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function PastRow({ transfer }: { readonly transfer: PastTransfer }) {
  const units = useUnits();
  const { kind, word } = outcomeOf(transfer, useNow());
  const { tone, icon } = looks[kind];
  const more = [credentialWords(transfer), transfer.address].filter((part) => part !== null).join(' · ');
  return (
    <tr>
      <th scope="row" className={styles['what']}>
        <span>{describeTransfer({ ...transfer, file_index: null })}</span>
        <Link
          className={styles['more']}
          to="/measurements/$measurementId"
          params={{ measurementId: transfer.measurement_id }}
        >
          {transfer.measurement_id}
        </Link>
      </th>
      <td className={styles['who']} title={transfer.user_agent ?? ''}>
        <span>{transfer.username ?? 'a removed user'}</span>
        <span className={styles['more']}>{more}</span>
      </td>
      <td data-label="">
        <Moment at={transfer.started_at} />
      </td>
      <td data-label="sent" title={exactBytes(transfer.bytes_sent)}>
        {formatBytes(transfer.bytes_sent, units)}
      </td>
      <td>
        <StatusWord tone={tone} icon={icon}>
          {word}
        </StatusWord>
      </td>
    </tr>
  );
}
