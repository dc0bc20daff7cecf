import { CircleAlert, CircleSlash, Clock } from 'lucide-react';
import type { PersonalAccessToken } from '../../api/requests/types.ts';
import { expiryOf } from '../../../src-shared/format/times.ts';
import { StatusWord } from '../../ui/notes/status-word.tsx';

/** When a token expires, and a word if that is soon. */
export function ExpiryBadge({ token, now }: { readonly token: PersonalAccessToken; readonly now: Date }) {
  if (token.revoked) return <StatusWord tone="bad" icon={CircleSlash} word="revoked" />;
  const { text, urgency } = expiryOf(token.expires_at, now);
  if (urgency === 'none') return <span title={token.expires_at ?? 'This token does not expire'}>{text}</span>;
  return (
    <StatusWord
      tone={urgency === 'soon' ? 'warn' : 'bad'}
      icon={urgency === 'soon' ? Clock : CircleAlert}
      title={token.expires_at ?? ''}
      word={urgency === 'soon' ? `expires ${text === 'just now' ? 'now' : text}` : text}
    />
  );
}
