import { CircleCheck, CirclePause, TriangleAlert } from 'lucide-react';
import type { NotificationRule } from '../../api/requests/types.ts';
import { StatusWord } from '../../ui/notes/status-word.tsx';

/** Whether a rule sends, as a word; the reason of a failure on hover. */
export function RuleState({ rule }: { readonly rule: NotificationRule }) {
  if (rule.failure !== null)
    return (
      <StatusWord
        tone="bad"
        icon={TriangleAlert}
        word={rule.paused ? 'Paused, failed' : 'Failing'}
        title={rule.failure}
      />
    );
  return rule.paused ? (
    <StatusWord tone="quiet" icon={CirclePause} word="Paused" />
  ) : (
    <StatusWord tone="ok" icon={CircleCheck} word="On" />
  );
}
