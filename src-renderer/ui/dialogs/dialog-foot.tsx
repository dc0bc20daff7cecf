import type { ReactNode } from 'react';
import styles from './dialog-foot.module.css';

/** The buttons of a dialog whose content scrolls: they stay at its foot. */
export function DialogFoot({ children }: { readonly children: ReactNode }) {
  return <div className={styles['foot']}>{children}</div>;
}
