import { Pause, Pencil, Play, Trash2 } from 'lucide-react';
import { plainText } from '../../../../src-shared/format/shown-text.ts';
import { formatCount } from '../../../../src-shared/format/quantities.ts';
import type { CaptureFilter, CaptureRule } from '../../../api/requests/types.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { MoreMenu } from '../../../ui/controls/menu.tsx';
import { Moment } from '../../../ui/figures/moment.tsx';
import { outcomeWords, completeWords } from '../../../words/capture-words.ts';
import { captureFilters } from '../runs/capture-search.ts';
import { RuleState } from '../states/state-look.tsx';
import type { AskedOfRule } from './rule-dialogs.tsx';
import screen from '../../../ui/layout/screen.module.css';
import styles from './rule-row.module.css';
import { useControlRule } from './use-control-rule.ts';

export interface RuleChoice {
  readonly rule: number | null;
  readonly filter: CaptureFilter;
}

interface RuleRowProps {
  readonly rule: CaptureRule;
  /** Rule and filter of the list of runs. */
  readonly shown: RuleChoice;
  readonly onShow: (choice: RuleChoice) => void;
  readonly onAsk: (asked: AskedOfRule) => void;
}

/** One watched folder: its state, what it does, and how many runs it has. */
export function RuleRow({ rule, shown, onShow, onAsk }: RuleRowProps) {
  const isShown = shown.rule === rule.id;
  const name = plainText(rule.name);
  return (
    <li className={`${styles['row']} ${isShown ? styles['chosen'] : ''}`}>
      <div className={styles['head']}>
        <button
          type="button"
          className={styles['name']}
          aria-pressed={isShown}
          title={isShown ? 'Show the runs of all rules' : 'Show only the runs of this rule'}
          onClick={() => onShow({ rule: isShown ? null : rule.id, filter: 'all' })}
        >
          {name}
        </button>
        <RuleState state={rule.state} />
        {rule.state === 'unreachable' || rule.state === 'paused' ? (
          <span className="remark">
            since <Moment at={rule.since} />
          </span>
        ) : null}
        <RuleCounts rule={rule} shown={shown} onShow={onShow} />
      </div>
      <RuleControls rule={rule} onAsk={onAsk} />
      <code className={styles['folder']}>{plainText(rule.folder)}</code>
      {rule.state === 'unreachable' && rule.message !== null ? (
        <span className={styles['message']}>{plainText(rule.message)}</span>
      ) : null}
      <span className={`remark ${styles['about']}`}>
        {plainText(completeWords(rule))} · {plainText(outcomeWords(rule))} · looked at{' '}
        <Moment at={rule.looked_at} none="never" />
      </span>
    </li>
  );
}

function RuleCounts({ rule, shown, onShow }: Omit<RuleRowProps, 'onAsk'>) {
  const filters = captureFilters.filter(
    ({ value, count }) => value === 'done' || (value !== 'all' && rule.counts[count] > 0),
  );
  return (
    <span
      className={`${screen['choices']} ${styles['counts']}`}
      role="group"
      aria-label={`Runs of ${plainText(rule.name)}`}
    >
      {filters.map(({ value, word, count }) => (
        <button
          key={value}
          type="button"
          className={value === 'needs-you' ? styles['asks'] : ''}
          aria-pressed={shown.rule === rule.id && shown.filter === value}
          onClick={() => onShow({ rule: rule.id, filter: value })}
        >
          {word} {formatCount(rule.counts[count])}
        </button>
      ))}
    </span>
  );
}

function RuleControls({ rule, onAsk }: Pick<RuleRowProps, 'rule' | 'onAsk'>) {
  const control = useControlRule();
  const name = plainText(rule.name);
  const isPaused = rule.state === 'paused';
  return (
    <span className={styles['controls']}>
      <IconButton
        label={isPaused ? `Resume ${name}` : `Pause ${name}`}
        icon={isPaused ? <Play /> : <Pause />}
        onClick={() => control(rule, isPaused ? 'resume' : 'pause')}
      />
      <MoreMenu
        label={`Actions for ${name}`}
        entries={[
          { kind: 'item', id: 'edit', label: 'Edit…', icon: <Pencil />, run: () => onAsk({ kind: 'edit', rule }) },
          { kind: 'line', id: 'line' },
          {
            kind: 'item',
            id: 'remove',
            label: 'Remove…',
            icon: <Trash2 />,
            danger: true,
            run: () => onAsk({ kind: 'remove', rule }),
          },
        ]}
      />
    </span>
  );
}
