import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { toApiError } from '../../api/requests/problem.ts';
import { CopyButton } from '../controls/copy-button.tsx';
import styles from './note.module.css';

export interface ProblemNoteProps {
  /** Null where nothing has failed: nothing is shown. */
  readonly error: unknown;
  readonly action?: ReactNode;
  /** Class for the space around it. */
  readonly className?: string | undefined;
}

/** A failure where it happened: the reason, the next step, and the request id in small print. */
export function ProblemNote({ error, action, className }: ProblemNoteProps) {
  if (error === null) return null;
  const problem = toApiError(error);
  const note = (
    <div className={`${styles['note']} ${styles['bad']}`} role="alert">
      <TriangleAlert aria-hidden />
      <div className={styles['text']}>
        {problem.title === '' ? null : (
          <p>
            <strong>{problem.title}</strong>
          </p>
        )}
        {problem.detail === '' || problem.detail === problem.title ? null : <p>{problem.detail}</p>}
        {problem.requestId === null ? null : (
          <p className={styles['small']}>
            Request <code>{problem.requestId}</code>{' '}
            <CopyButton text={problem.requestId} label="Copy request id" small />
          </p>
        )}
        {action === undefined ? null : <div className={styles['action']}>{action}</div>}
      </div>
    </div>
  );
  return className === undefined ? note : <div className={className}>{note}</div>;
}
