import { useEffect } from 'react';
import { useApp } from '../../context/context.ts';
import { Note } from './note.tsx';
import styles from './silence-note.module.css';
import { useSilentSeconds } from '../hooks/use-silence.ts';

const tellAfterSeconds = 5;

/**
 * A note in a dialog that the service does not respond, and what closing the dialog then means. The
 * result is unknown, not failed: closing reports that once more.
 */
export function SilenceNote() {
  const { live, toasts } = useApp();
  const seconds = useSilentSeconds();
  useEffect(
    () => () => {
      if (live.getState().silence?.writes !== true) return;
      toasts.getState().show({
        kind: 'bad',
        text: 'This may or may not have been carried out',
        detail: 'The service has not answered. Once it does, check before you repeat it.',
      });
    },
    [live, toasts],
  );
  if (seconds === null || seconds < tellAfterSeconds) return null;
  const writes = live.getState().silence?.writes === true;
  return (
    <div role="status" className={styles['place']}>
      <Note kind="warn">
        <p>The service has not answered for more than {tellAfterSeconds} s.</p>
        <p>
          {writes
            ? 'It continues once the service answers. If you close this first, it may or may not be carried out.'
            : 'The rest appears as soon as it answers.'}
        </p>
      </Note>
    </div>
  );
}
