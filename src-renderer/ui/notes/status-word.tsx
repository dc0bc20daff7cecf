import type { ReactNode } from 'react';
import styles from './status-word.module.css';

/** A state as an icon and a word, never as colour only. */
export function StatusWord({
  tone,
  icon,
  title,
  children,
}: {
  readonly tone: 'ok' | 'warn' | 'bad' | 'quiet';
  readonly icon: ReactNode;
  readonly title?: string | undefined;
  readonly children: ReactNode;
}) {
  return (
    <span className={`${styles['word']} ${styles[tone]}`} title={title}>
      {icon}
      <span>{children}</span>
    </span>
  );
}
