import styles from './register-dialog.module.css';
import { splitFinding } from './warnings.ts';

/** A finding as `NAME: REASON`, its name as names of files are written; a line without a name as it is. */
export function FindingLine({ line }: { readonly line: string }) {
  const { name, reason } = splitFinding(line);
  return (
    <>
      {name === null ? null : (
        <>
          <span className={styles['name']}>{name}</span>:{' '}
        </>
      )}
      {reason}
    </>
  );
}
