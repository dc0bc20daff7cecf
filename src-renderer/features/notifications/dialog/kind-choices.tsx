import { useId } from 'react';
import { kindWords, kindsByGroup } from '../../../words/notification-words.ts';
import { Choice, Choices } from '../../../ui/controls/field.tsx';
import { withKind } from './rule-draft.ts';
import type { RuleFieldsProps } from './rule-fields.ts';
import styles from './rule-form.module.css';

/** The kinds of happenings, in groups. */
export function KindChoices({ draft, author, onChange }: RuleFieldsProps) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id} className={styles['kinds']}>
      <p id={id} className={styles['asked']}>
        Tell me when <span className="remark">at least one of these happens</span>
      </p>
      {kindsByGroup.map(([title, kinds]) => (
        <Choices key={title} legend={title}>
          {kinds.map((kind) => {
            const { label, isForAdministrators = false, whenNoAdministrator } = kindWords[kind];
            const isChosen = draft.kinds.includes(kind);
            const isOutOfReach = isForAdministrators && !author.isAdministrator;
            return (
              <Choice
                key={kind}
                name={kind}
                label={label}
                meaning={
                  isOutOfReach
                    ? 'Only administrators hear of it.'
                    : author.isAdministrator
                      ? undefined
                      : whenNoAdministrator
                }
                checked={isChosen}
                disabled={isOutOfReach && !isChosen}
                onChange={(checked) => onChange(withKind(draft, kind, checked))}
              />
            );
          })}
        </Choices>
      ))}
    </div>
  );
}
