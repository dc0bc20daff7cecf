import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../controls/button.tsx';
import styles from './work-row.module.css';

export interface WorkRowProps {
  /** The work, and the thing that it is done with. */
  readonly name: ReactNode;
  /** How far it is. */
  readonly amount: ReactNode;
  /** Why it failed or waits. */
  readonly reason: ReactNode;
  readonly failed: boolean;
  /** Not shown after a failure. */
  readonly bar: ReactNode;
  readonly controls: ReactNode;
}

/** Long work in a panel above a list: its name, how far it is, and its controls. */
export function WorkRow({ name, amount, reason, failed, bar, controls }: WorkRowProps) {
  return (
    <li className={styles['row']}>
      <div className={styles['text']}>
        <p className={styles['line']}>
          <span className={styles['name']}>
            {failed ? <CircleAlert className={styles['alert']} aria-hidden /> : null}
            {name}
          </span>
          <span className={styles['amount']}>{amount}</span>
        </p>
        {reason === null ? null : <p className={styles[failed ? 'failure' : 'reason']}>{reason}</p>}
        {failed ? null : bar}
      </div>
      <span className={styles['controls']}>{controls}</span>
    </li>
  );
}

/** The panel of such rows. */
export function WorkPanel({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <section aria-label={label} className={styles['panel']}>
      {children}
    </section>
  );
}

export interface MoreWorkProps {
  readonly all: boolean;
  /** How many rows are not shown, such as `4 more jobs`. */
  readonly hidden: string;
  readonly onToggle: () => void;
  /** Other buttons of the panel. */
  readonly children?: ReactNode;
}

/** The end of a panel that shows only its first rows until it is asked for all. */
export function MoreWork({ all, hidden, onToggle, children }: MoreWorkProps) {
  return (
    <div className={styles['more']}>
      <Button look="quiet" onClick={onToggle}>
        {all ? 'Show fewer' : `Show ${hidden}`}
      </Button>
      {children}
    </div>
  );
}
