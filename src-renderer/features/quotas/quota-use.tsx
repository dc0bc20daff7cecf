import { exactBytes, formatBytes } from '../../../src-shared/format/quantities.ts';
import type { Quota } from '../../api/requests/types.ts';
import { useUnits } from '../../context/context.ts';
import { Note } from '../../ui/notes/note.tsx';
import { usedWords } from './quota-text.ts';
import styles from './quota-use.module.css';

/** The used part of a quota in words, as a bar where there is a limit, and by kind. */
export function QuotaUse({ quota, label }: { readonly quota: Quota; readonly label: string }) {
  const units = useUnits();
  const { quota_bytes: limit, used_bytes: used, unfinished_bytes: unfinished, removed_bytes: removed } = quota;
  const parts = [
    { look: 'stored', word: 'Measurements', bytes: used - unfinished - removed },
    { look: 'unfinished', word: 'Uploads that are not registered yet', bytes: unfinished },
    { look: 'removed', word: 'Removed, can be restored', bytes: removed },
  ].filter(({ bytes }) => bytes > 0);
  return (
    <div className={styles['use']}>
      <p className="digits" title={exactBytes(used)}>
        {usedWords(quota, units)}
      </p>
      {limit === null ? null : (
        <div
          role="meter"
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(Math.min(1, limit === 0 ? 1 : used / limit) * 100)}
          aria-valuetext={usedWords(quota, units)}
          className={styles['bar']}
        >
          {parts.map(({ look, bytes }) => (
            <span key={look} className={styles[look]} style={{ width: `${(bytes / Math.max(limit, used)) * 100}%` }} />
          ))}
        </div>
      )}
      {parts.length === 0 ? null : (
        <ul className={styles['parts']}>
          {parts.map(({ look, word, bytes }) => (
            <li key={look}>
              <span className={`${styles['swatch']} ${styles[look]}`} aria-hidden />
              {word} <span className="digits">{formatBytes(bytes, units)}</span>
            </li>
          ))}
        </ul>
      )}
      {limit !== null && used > limit ? (
        <Note kind="warn">{`${formatBytes(used - limit, units)} more than the limit. What is there stays; uploads are refused.`}</Note>
      ) : limit !== null && used === limit ? (
        <Note kind="warn">Nothing is left, so uploads are refused.</Note>
      ) : null}
    </div>
  );
}
