import type { ReactNode } from 'react';
import { PageHeader, type PageHeaderProps } from './page-header.tsx';
import styles from './screen.module.css';

export interface ScreenProps extends PageHeaderProps {
  /** Below the header. */
  readonly children: ReactNode;
}

/** A screen that is named by the title of its header. */
export function Screen({ children, ...header }: ScreenProps) {
  return (
    <section className={styles['screen']} aria-label={header.title}>
      <PageHeader {...header} />
      {children}
    </section>
  );
}
