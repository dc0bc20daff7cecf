import styles from './command-block.module.css';
import { CopyButton } from './copy-button.tsx';

/** Lines for a terminal, to be copied as they are. */
export function CommandBlock({ about, command, label }: { readonly about: string; readonly command: string; readonly label: string }) {
  return (
    <div className={styles['block']}>
      <p>{about}</p>
      <div className={styles['command']}>
        <pre>{command}</pre>
        <CopyButton text={command} label={label} />
      </div>
    </div>
  );
}
