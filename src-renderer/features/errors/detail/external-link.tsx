import { Link2 } from 'lucide-react';
import { plainText } from '../../../../src-shared/format/shown-text.ts';
import styles from './error-detail.module.css';

/**
 * Link to the error on its own server. Only web addresses: another scheme could start a program.
 */
export function ExternalLink({ url }: { readonly url: string | null }) {
  if (url === null || !/^https?:\/\//i.test(url)) return null;
  return (
    <a className={styles['external']} href={url} target="_blank" rel="noopener noreferrer" title={plainText(url)}>
      <Link2 aria-hidden />
      Open at its server
    </a>
  );
}
