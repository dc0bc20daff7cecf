import type { ReactNode } from 'react';
import styles from './command-block.module.css';
import { CopyButton } from './copy-button.tsx';

export interface CommandBlockProps {
  readonly about: ReactNode;
  readonly command: string;
  readonly label: string;
  /** Displayed instead of a command that contains a secret. */
  readonly shown?: string;
  /** Replaces plain copying, for commands with secrets. */
  readonly copy?: (text: string) => Promise<void>;
}

/** Lines for a terminal or a program, to be copied as they are. */
export function CommandBlock({ about, command, label, shown = command, copy }: CommandBlockProps) {
  return (
    <div className={styles['block']}>
      <div>{about}</div>
      <div className={styles['command']}>
        <pre>{shown}</pre>
        <CopyButton text={command} label={label} {...(copy === undefined ? {} : { copy })} />
      </div>
    </div>
  );
}
