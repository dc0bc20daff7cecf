import { useState } from 'react';
import { countOf } from '../../../../src-shared/format/quantities.ts';
import type { CaptureRule } from '../../../api/requests/types.ts';
import { Button } from '../../../ui/controls/button.tsx';
import type { AskedOfRule } from './rule-dialogs.tsx';
import { RuleRow, type RuleChoice } from './rule-row.tsx';
import { rulesInOrder } from './rule-order.ts';
import styles from './rule-row.module.css';

interface RuleListProps {
  readonly rules: readonly CaptureRule[];
  readonly shown: RuleChoice;
  readonly onShow: (choice: RuleChoice) => void;
  readonly onAsk: (asked: AskedOfRule) => void;
}

/** More rules would leave no room for the runs below them. */
const maxShown = 3;

/** The watched folders; those that need somebody first, and of many only the first. */
export function RuleList({ rules, shown, onShow, onAsk }: RuleListProps) {
  const [all, setAll] = useState(false);
  const ordered = rulesInOrder(rules);
  const isFolded = !all && ordered.length > maxShown + 1;
  const listed = isFolded ? ordered.filter(({ id }, at) => at < maxShown || id === shown.rule) : ordered;
  return (
    <section aria-label="Rules" className={styles['panel']}>
      <ul>
        {listed.map((rule) => (
          <RuleRow key={rule.id} rule={rule} shown={shown} onShow={onShow} onAsk={onAsk} />
        ))}
      </ul>
      {ordered.length <= maxShown + 1 ? null : (
        <p className={styles['more']}>
          <Button look="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Show fewer' : `Show ${countOf(ordered.length - listed.length, 'more rule')}`}
          </Button>
        </p>
      )}
    </section>
  );
}
