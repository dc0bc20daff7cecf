import { TriangleAlert } from 'lucide-react';
import type { AuditEvent } from '../../api/requests/types.ts';
import { Moment } from '../../ui/figures/moment.tsx';
import { StatusWord } from '../../ui/notes/status-word.tsx';
import { PlainTable } from '../../ui/lists/plain-table.tsx';
import { actionWords, isAlarming } from './action-words.ts';
import { AuditSubject } from './audit-subject.tsx';
import styles from './audit-table.module.css';

/** Audit entries, the newest first. */
export function AuditTable({ events }: { readonly events: readonly AuditEvent[] }) {
  return (
    <PlainTable
      label="Events"
      columns={['Time', 'User', 'What', 'Subject', 'Application', 'Address']}
      className={styles['events']}
    >
      {events.map((event) => (
        <tr key={event.id}>
          <td>
            <Moment at={event.at} />
          </td>
          <td className={styles['who']} data-label={event.user === null ? '' : 'by'}>
            {event.user ?? <span className="remark">nobody signed in</span>}
          </td>
          <td className={styles['what']} title={event.action}>
            {isAlarming(event.action) ? (
              <StatusWord tone="warn" icon={TriangleAlert} word={actionWords(event.action)} />
            ) : (
              actionWords(event.action)
            )}
          </td>
          <td className={styles['wide']}>
            <AuditSubject event={event} />
            {event.detail === null || event.detail === '' ? null : <span className="remark"> {event.detail}</span>}
          </td>
          <td data-label="application">{event.application}</td>
          <td data-label="from">{event.address}</td>
        </tr>
      ))}
    </PlainTable>
  );
}
