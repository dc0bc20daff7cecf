import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './note.module.css';

const icons = { info: Info, warn: TriangleAlert, bad: CircleAlert } as const;

/** A remark beside its subject. */
export function Note({ kind, children }: { readonly kind: keyof typeof icons; readonly children: ReactNode }) {
  const Icon = icons[kind];
  return (
    <div className={`${styles['note']} ${styles[kind]}`}>
      <Icon aria-hidden />
      <div className={styles['text']}>{children}</div>
    </div>
  );
}
