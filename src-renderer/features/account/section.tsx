import { useId, type ReactNode } from 'react';
import styles from './account-screen.module.css';

/** A section of the account screen: name, state, explanation and actions. */
export function Section({
  title,
  state,
  about,
  children,
}: {
  readonly title: string;
  readonly state?: ReactNode;
  readonly about?: ReactNode;
  readonly children?: ReactNode;
}) {
  const id = useId();
  return (
    <section className={styles['section']} aria-labelledby={id}>
      <div className={styles['heading']}>
        <h2 id={id}>{title}</h2>
        {state}
      </div>
      {about === undefined ? null : <p className="muted">{about}</p>}
      {children}
    </section>
  );
}
