import { Mail, Pause, Play, Webhook } from 'lucide-react';
import { plainText } from '../../../src-shared/format/shown-text.ts';
import { formatCount } from '../../../src-shared/format/quantities.ts';
import type { NotificationRule } from '../../api/requests/types.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { RowTable, type RowCursor } from '../../ui/lists/row-table.tsx';
import { useSortedRows, type SortColumn } from '../../ui/lists/sorted-rows.ts';
import { TimeCell } from '../../ui/lists/time-cell.tsx';
import table from '../../ui/lists/table.module.css';
import { whenWords, wordsOfKinds } from '../../words/notification-words.ts';
import { RuleState } from './rule-state.tsx';
import styles from './rule-table.module.css';

const sorts: Readonly<Record<'name' | 'to' | 'waiting' | 'sent' | 'state', SortColumn<NotificationRule>>> = {
  name: { value: ({ name }) => name.toLowerCase(), first: 'asc' },
  to: { value: ({ to }) => to, first: 'asc' },
  waiting: { value: ({ waiting }) => waiting, first: 'desc' },
  sent: { value: ({ last_sent_at: at }) => at, first: 'desc' },
  state: { value: ({ failure, paused }) => Number(failure !== null) * 2 + Number(paused), first: 'desc' },
};

export interface RuleTableProps extends RowCursor {
  readonly rules: readonly NotificationRule[];
  readonly onOpen: (id: number) => void;
  readonly onPause: (rule: NotificationRule) => void;
}

/** A user's rules. A row opens its detail. */
export function RuleTable({ rules, onOpen, onPause, ...list }: RuleTableProps) {
  const sorted = useSortedRows(rules, sorts, { by: 'name', order: 'asc' });
  return (
    <RowTable
      label="Rules"
      columns={[
        ['Name', 'name'],
        ['Goes to', 'to'],
        { words: 'When', className: styles['wide'] },
        { words: 'Waiting', className: table['numeric'], sort: 'waiting' },
        ['Last sent', 'sent'],
        ['State', 'state'],
        { unseen: 'Actions' },
      ]}
      keyOf={({ id }) => id}
      {...list}
      {...sorted}
      onEnter={({ id }) => onOpen(id)}
      onClick={({ id }) => onOpen(id)}
    >
      {(rule) => (
        <>
          <th scope="row" className={table['name']}>
            <span>{plainText(rule.name)}</span>
            <span className={table['description']} title={wordsOfKinds(rule.kinds)}>
              {wordsOfKinds(rule.kinds)}
            </span>
          </th>
          <td>
            <Target rule={rule} />
          </td>
          <td className={`${styles['wide']} ${styles['when']}`}>{whenWords(rule)}</td>
          <td data-label="Waiting" className={table['numeric']}>
            {formatCount(rule.waiting)}
          </td>
          <TimeCell label="Last sent" at={rule.last_sent_at} none="never" />
          <td data-label="">
            <RuleState rule={rule} />
          </td>
          <td className={table['action']}>
            <IconButton
              label={`${rule.paused ? 'Resume' : 'Pause'} ${rule.name}`}
              icon={rule.paused ? <Play /> : <Pause />}
              onClick={(event) => {
                event.stopPropagation();
                onPause(rule);
              }}
            />
          </td>
        </>
      )}
    </RowTable>
  );
}

/** Where messages go. */
function Target({ rule: { channel, to } }: { readonly rule: NotificationRule }) {
  const Icon = channel === 'mail' ? Mail : Webhook;
  return (
    <span className={styles['target']} title={to}>
      <Icon aria-hidden />
      <i className="visually-hidden">{channel === 'mail' ? 'Mail to ' : 'Webhook '}</i>
      <span>{plainText(to)}</span>
    </span>
  );
}
