import type { ReactNode } from 'react';
import { formatCount } from '../../../../src-shared/format/quantities.ts';
import { lineText, valueText } from '../../../../src-shared/format/shown-text.ts';
import styles from './values.module.css';

const maxValues = 200;

/** Names and values of any kind, as text. */
export function Values({ values }: { readonly values: readonly (readonly [string, unknown])[] }) {
  const shown = values.slice(0, maxValues);
  return (
    <>
      <dl className={styles['values']}>
        {shown.map(([name, value], position) => (
          // oxlint-disable-next-line react/no-array-index-key -- A sender may send a name twice.
          <div key={position} className={styles['row']}>
            <dt>
              <bdi>{lineText(name, 200)}</bdi>
            </dt>
            <dd dir="auto">{value === null ? <span className="muted">null</span> : valueText(value)}</dd>
          </div>
        ))}
      </dl>
      {values.length > shown.length ? (
        <p className="muted">{formatCount(values.length - shown.length)} more in the raw event</p>
      ) : null}
    </>
  );
}

/** A titled part of an event; empty parts are left out. */
export function Part({
  title,
  values,
}: {
  readonly title: string;
  readonly values: readonly (readonly [string, unknown])[];
}): ReactNode {
  if (values.length === 0) return null;
  return (
    <section className={styles['part']}>
      <h3>{title}</h3>
      <Values values={values} />
    </section>
  );
}
