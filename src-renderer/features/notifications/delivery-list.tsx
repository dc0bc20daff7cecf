import { useInfiniteQuery } from '@tanstack/react-query';
import { CircleCheck, CircleX, Clock3 } from 'lucide-react';
import { plainText } from '../../../src-shared/format/shown-text.ts';
import { countOf } from '../../../src-shared/format/quantities.ts';
import type { Delivery } from '../../api/requests/types.ts';
import { useApp } from '../../context/context.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Moment } from '../../ui/figures/moment.tsx';
import { RetryTime } from '../../ui/figures/retry-time.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { StatusWord } from '../../ui/notes/status-word.tsx';
import { deliveryWords, kindWords } from '../../words/notification-words.ts';
import styles from './delivery-list.module.css';

const looks = {
  waiting: { tone: 'plain', icon: Clock3 },
  sent: { tone: 'ok', icon: CircleCheck },
  'given-up': { tone: 'bad', icon: CircleX },
} as const;

/** The messages of a rule, the newest first. */
export function DeliveryList({ rule }: { readonly rule: number }) {
  const deliveries = useInfiniteQuery(useApp().queries.deliveries(rule));
  const list = (deliveries.data?.pages ?? []).flat();
  return (
    <section className={styles['part']} aria-label="Deliveries">
      <h3>Deliveries</h3>
      <NotLoaded of={deliveries} />
      {deliveries.data === undefined ? null : list.length === 0 ? (
        <p className="muted">Nothing has happened that this rule tells of.</p>
      ) : (
        <ul className={styles['list']} aria-label="Deliveries">
          {list.map((delivery) => (
            <DeliveryItem key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      )}
      {deliveries.hasNextPage ? (
        <div>
          <Button busy={deliveries.isFetchingNextPage} onClick={() => void deliveries.fetchNextPage()}>
            Show older
          </Button>
        </div>
      ) : list.length > 0 ? (
        <p className="remark">Sent and given-up messages are listed for thirty days.</p>
      ) : null}
    </section>
  );
}

function DeliveryItem({ delivery }: { readonly delivery: Delivery }) {
  const { at, kind, subject, title, state, attempts, retry_at: retryAt, message } = delivery;
  const name = title === '' ? subject.slice(subject.indexOf(':') + 1) : title;
  return (
    <li className={styles['item']}>
      <p className={styles['line']}>
        <span className={styles['title']} title={subject}>
          {kindWords[kind].short}: {plainText(name)}
        </span>
        <span className="remark">
          <Moment at={at} />
        </span>
      </p>
      <p className={styles['line']}>
        <StatusWord {...looks[state]} word={deliveryWords[state]} />
        <span className="remark digits">
          {attempts > 1 || (attempts === 1 && state !== 'sent') ? countOf(attempts, 'attempt') : ''}
          {retryAt === null ? null : (
            <>
              , <RetryTime at={retryAt} />
            </>
          )}
        </span>
      </p>
      {message === null ? null : <p className={styles['reason']}>{plainText(message)}</p>}
    </li>
  );
}
