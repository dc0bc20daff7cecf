import { allKinds, kindGroups, kindWords } from '../../../words/notification-words.ts';
import { Choice, Choices } from '../../../ui/controls/field.tsx';
import { withKind } from './rule-draft.ts';
import type { RuleFieldsProps } from './rule-fields.ts';
import styles from './rule-form.module.css';

const groups = Object.entries(kindGroups) as readonly (readonly [keyof typeof kindGroups, string])[];

/** The kinds of happenings, in groups. */
export function KindChoices({ draft, author, onChange }: RuleFieldsProps) {
  return (
    <div role="group" aria-label="Tell me when" className={styles['kinds']}>
      {groups.map(([group, title]) => (
        <Choices key={group} legend={title}>
          {allKinds
            .filter((kind) => kindWords[kind].group === group)
            .map((kind) => {
              const { label, isForAdministrators = false } = kindWords[kind];
              const isChosen = draft.kinds.includes(kind);
              const isOutOfReach = isForAdministrators && !author.isAdministrator;
              return (
                <Choice
                  key={kind}
                  name={kind}
                  label={label}
                  meaning={isOutOfReach ? 'Only administrators hear of it.' : undefined}
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
