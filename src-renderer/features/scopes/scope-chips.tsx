import styles from './scope-chips.module.css';
import { meaningOf } from './scope-words.ts';

/** Scope names, each with its meaning on hover. */
export function ScopeChips({ scopes }: { readonly scopes: readonly string[] }) {
  return (
    <span className={styles['chips']}>
      {scopes.map((scope) => (
        <code key={scope} title={meaningOf(scope)}>
          {scope}
        </code>
      ))}
    </span>
  );
}
