import { CircleAlert, CircleSlash, Clock } from 'lucide-react';
import type { PersonalAccessToken } from '../../api/requests/types.ts';
import { expiryOf } from '../../../src-shared/format/times.ts';
import styles from './token-table.module.css';

/** When a token expires, and a word if that is soon. */
export function ExpiryBadge({ token, now }: { readonly token: PersonalAccessToken; readonly now: Date }) {
  if (token.revoked) {
    return (
      <span className={styles['over']}>
        <CircleSlash aria-hidden />
        revoked
      </span>
    );
  }
  const { text, urgency } = expiryOf(token.expires_at, now);
  if (urgency === 'none') return <span title={token.expires_at ?? 'This token does not expire'}>{text}</span>;
  const Icon = urgency === 'soon' ? Clock : CircleAlert;
  return (
    <span className={styles[urgency]} title={token.expires_at ?? ''}>
      <Icon aria-hidden />
      {urgency === 'soon' ? `expires ${text === 'just now' ? 'now' : text}` : text}
    </span>
  );
}
