import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleSlash, LoaderCircle } from 'lucide-react';
import type { PastTransfer } from '../../api/requests/types.ts';
import { useUnits } from '../../context/context.ts';
import { exactBytes, formatBytes } from '../../../src-shared/format/quantities.ts';
import { StatusWord } from '../../ui/notes/status-word.tsx';
import { PlainTable } from '../../ui/lists/plain-table.tsx';
import { useNow } from '../../ui/hooks/use-now.ts';
import { describeTransfer, outcomeOf } from '../../words/transfer-words.ts';
import { TimeCell } from '../../ui/lists/time-cell.tsx';
import styles from './sharing-table.module.css';
import { credentialWords } from './sharing-words.ts';

const looks = {
  running: { tone: 'quiet', icon: LoaderCircle },
  good: { tone: 'ok', icon: CircleCheck },
  bad: { tone: 'warn', icon: CircleSlash },
} as const;

/** Past transfers, the newest first. */
export function PastTable({ transfers }: { readonly transfers: readonly PastTransfer[] }) {
  return (
    <PlainTable label="Past transfers" columns={['What', 'To', 'When', 'Sent', 'End']} className={styles['transfers']}>
      {transfers.map((transfer) => (
        <PastRow key={transfer.id} transfer={transfer} />
      ))}
    </PlainTable>
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
      <TimeCell label="" at={transfer.started_at} />
      <td data-label="sent" title={exactBytes(transfer.bytes_sent)}>
        {formatBytes(transfer.bytes_sent, units)}
      </td>
      <td>
        <StatusWord tone={tone} icon={icon} word={word} />
      </td>
    </tr>
  );
}
