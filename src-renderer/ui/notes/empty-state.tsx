import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

/** Replaces an empty list: one sentence and one action. */
export function EmptyState({
  icon,
  title,
  children,
  action,
}: {
  readonly icon?: ReactNode;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className={styles['empty']}>
      {icon === undefined ? null : <span className={styles['icon']}>{icon}</span>}
      <p className={styles['title']}>{title}</p>
      {children === undefined ? null : <div className={styles['more']}>{children}</div>}
      {action === undefined ? null : <div className={styles['action']}>{action}</div>}
    </div>
  );
}
