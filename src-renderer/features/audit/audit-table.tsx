import { TriangleAlert } from 'lucide-react';
import type { AuditEvent } from '../../api/requests/types.ts';
import { Moment } from '../../ui/figures/moment.tsx';
import { StatusWord } from '../../ui/notes/status-word.tsx';
import table from '../../ui/lists/table.module.css';
import { actionWords, isAlarming } from './action-words.ts';
import { AuditSubject } from './audit-subject.tsx';
import styles from './audit-table.module.css';

/**
 * Audit entries, the newest first. There is nothing to select, so it is a plain table that scrolls
 * by keyboard.
 */
export function AuditTable({ events }: { readonly events: readonly AuditEvent[] }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A scrolling region must be reachable by keyboard.
    <div className={table['scroller']} role="region" aria-label="Events" tabIndex={0}>
      <table className={`${table['table']} ${styles['events']}`}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">User</th>
            <th scope="col">What</th>
            <th scope="col">Subject</th>
            <th scope="col">Application</th>
            <th scope="col">Address</th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <tr key={event.id}>
              <td>
                <Moment at={event.at} />
              </td>
              <td className={styles['who']} data-label={event.user === null ? '' : 'by'}>
                {event.user ?? <span className={styles['quiet']}>nobody signed in</span>}
              </td>
              <td className={styles['what']} title={event.action}>
                {isAlarming(event.action) ? (
                  <StatusWord tone="warn" icon={<TriangleAlert aria-hidden />}>
                    {actionWords(event.action)}
                  </StatusWord>
                ) : (
                  actionWords(event.action)
                )}
              </td>
              <td className={styles['wide']}>
                <AuditSubject event={event} />
                {event.detail === null || event.detail === '' ? null : (
                  <span className={styles['quiet']}> {event.detail}</span>
                )}
              </td>
              <td data-label="application">{event.application}</td>
              <td data-label="from">{event.address}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
