import type { ErrorEvent } from '../../../api/requests/types.ts';
import { exactTime } from '../../../../src-shared/format/times.ts';
import { lineText, shownText } from '../../../../src-shared/format/shown-text.ts';
import { Part } from '../event/values.tsx';
import styles from './error-detail.module.css';

const filled = (values: readonly (readonly [string, unknown])[]): (readonly [string, unknown])[] =>
  values.filter(([, value]) => value !== null && value !== '');
const entries = (value: unknown): (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [['value', value]];

/** All facts of an event except stack and breadcrumbs. */
export function EventFacts({ event }: { readonly event: ErrorEvent }) {
  const { message, user } = event;
  return (
    <div className={styles['parts']}>
      {message === null ? null : (
        <section className={styles['parts']}>
          <h3>Message</h3>
          <p className={styles['message']} dir="auto">
            {shownText(message.formatted)}
          </p>
          <Part
            title="Message without its values"
            values={filled([
              ['template', message.template],
              ['params', message.params],
            ])}
          />
        </section>
      )}
      <Part
        title="Event"
        values={filled([
          ['id', event.event_id],
          ['occurred', exactTime(event.occurred_at)],
          ['received', exactTime(event.received_at)],
          ['platform', event.platform],
          ['environment', event.environment],
          ['release', event.release],
          ['server', event.server_name],
          ['logger', event.logger],
          ['transaction', event.transaction],
          ['SDK', event.sdk === null ? null : `${event.sdk.name ?? ''} ${event.sdk.version ?? ''}`.trim()],
          ['fingerprint', event.fingerprint.length === 0 ? null : event.fingerprint.join('\n')],
        ])}
      />
      <Part title="Tags" values={event.tags} />
      {user === null ? null : (
        <Part
          title="User"
          values={filled([
            ['id', user.id],
            ['user name', user.username],
            ['email', user.email],
            ['address', user.ip_address],
            ...Object.entries(user.more),
          ])}
        />
      )}
      {event.request === null ? null : <Part title="Request" values={Object.entries(event.request)} />}
      {Object.entries(event.contexts).map(([name, value]) => (
        <Part key={name} title={`Context: ${lineText(name, 60)}`} values={entries(value)} />
      ))}
      <Part title="Extra" values={Object.entries(event.extra)} />
      <Part title="Modules" values={Object.entries(event.modules)} />
    </div>
  );
}
