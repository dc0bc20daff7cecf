import { OctagonX } from 'lucide-react';
import type { OutgoingTransfer } from '../../api/requests/types.ts';
import { useUnits } from '../../context/context.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { exactBytes, formatBytes, formatRate } from '../../../src-shared/format/quantities.ts';
import { Moment } from '../../ui/figures/moment.tsx';
import { ProgressBar } from '../../ui/notes/progress-bar.tsx';
import { PlainTable } from '../../ui/lists/plain-table.tsx';
import table from '../../ui/lists/table.module.css';
import styles from './sharing-table.module.css';
import { credentialWords, outgoingWords } from './sharing-words.ts';

interface OutgoingTableProps {
  readonly transfers: readonly OutgoingTransfer[];
  readonly onEnd: (transfer: OutgoingTransfer) => void;
}

/** One row for each body under way, and one for the short answers of each receiver. */
export function OutgoingTable({ transfers, onEnd }: OutgoingTableProps) {
  return (
    <PlainTable
      label="Active transfers"
      columns={['What', 'To', 'Since', 'Sent', { words: 'Rate', className: table['numeric'] }, { unseen: 'End' }]}
      className={styles['transfers']}
      within={styles['within']}
    >
      {transfers.map((transfer) => (
        <OutgoingRow key={transfer.id} transfer={transfer} onEnd={onEnd} />
      ))}
    </PlainTable>
  );
}

function OutgoingRow({
  transfer,
  onEnd,
}: {
  readonly transfer: OutgoingTransfer;
  readonly onEnd: (transfer: OutgoingTransfer) => void;
}) {
  const units = useUnits();
  const { bytes_sent: sent, bytes_total: total } = transfer;
  const words = outgoingWords(transfer);
  const more = [credentialWords(transfer), transfer.address].filter((part) => part !== null).join(' · ');
  return (
    <tr>
      <th scope="row" className={styles['what']}>
        <span>{words}</span>
        <span className={styles['more']}>{transfer.measurement_id}</span>
      </th>
      <td className={styles['who']} title={transfer.user_agent ?? ''}>
        <span>{transfer.username}</span>
        <span className={styles['more']}>{more}</span>
      </td>
      <td data-label="since">{transfer.short_answers === null ? <Moment at={transfer.started_at} /> : null}</td>
      <td className={styles['sent']} title={exactBytes(sent)}>
        <span>
          {formatBytes(sent, units)}
          {total === null ? '' : ` of ${formatBytes(total, units)}`}
        </span>
        {total === null ? null : (
          <ProgressBar
            fraction={total === 0 ? 1 : Math.min(1, sent / total)}
            label={`${words} to ${transfer.username}`}
          />
        )}
      </td>
      <td className={table['numeric']}>{formatRate(transfer.bytes_per_second, units)}</td>
      <td className={table['action']}>
        {transfer.short_answers === null ? (
          <IconButton
            label={`End ${words} to ${transfer.username}`}
            icon={<OctagonX />}
            onClick={() => onEnd(transfer)}
          />
        ) : null}
      </td>
    </tr>
  );
}
