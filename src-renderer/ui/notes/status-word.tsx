import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './status-word.module.css';

/** A state as an icon and a word, never as colour only. */
export function StatusWord({
  tone,
  icon: Icon,
  title,
  word,
}: {
  readonly tone: 'ok' | 'warn' | 'bad' | 'quiet' | 'busy' | 'plain';
  readonly icon: LucideIcon;
  readonly title?: string | undefined;
  readonly word: ReactNode;
}) {
  return (
    <span className={`${styles['word']} ${styles[tone]}`} title={title}>
      <Icon aria-hidden />
      <span>{word}</span>
    </span>
  );
}
