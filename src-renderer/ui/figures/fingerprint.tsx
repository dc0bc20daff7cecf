import { CopyButton } from '../controls/copy-button.tsx';
import styles from './fingerprint.module.css';

/**
 * The SHA-256 of a certificate in groups of four, to be compared with another screen.
 * @param sha256 hexadecimal.
 */
export function Fingerprint({ sha256 }: { readonly sha256: string }) {
  return (
    <span className={styles['whole']}>
      <code className={styles['print']}>{inGroups(sha256)}</code>
      <CopyButton text={sha256} label="Copy the fingerprint" small />
    </span>
  );
}

/** `9f86 d081 ...`, as people read it aloud. */
function inGroups(sha256: string): string {
  return sha256.replaceAll(/(.{4})(?=.)/g, '$1 ');
}
