import { Bell } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/notes/empty-state.tsx';
import { kindWords, kindsByGroup } from '../../words/notification-words.ts';
import styles from './no-rules.module.css';

/** The kinds that a user can be told of, where there is no rule yet. */
export function NoRules({ action }: { readonly action: ReactNode }) {
  return (
    <EmptyState
      icon={<Bell aria-hidden />}
      title="Be told by mail or webhook when something happens, also while nobody looks at a screen."
      action={action}
    >
      <dl className={styles['kinds']}>
        {kindsByGroup.map(([title, kinds]) => (
          <div key={title}>
            <dt>{title}</dt>
            {kinds.map((kind) => (
              <dd key={kind}>{kindWords[kind].label}</dd>
            ))}
          </div>
        ))}
      </dl>
    </EmptyState>
  );
}
