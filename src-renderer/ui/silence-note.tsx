import { useEffect } from 'react';
import { useApp } from '../app/context.ts';
import { Note } from './note.tsx';
import styles from './silence-note.module.css';
import { useSilentSeconds } from './use-silence.ts';

const tellAfterSeconds = 5;

/** Says in a dialog that the service does not answer, and what closing it then means. Not known is not failed: that is said once more when it is closed. */
export function SilenceNote() {
  const { live, toasts } = useApp();
  const seconds = useSilentSeconds();
  useEffect(
    () => () => {
      if (live.getState().silence?.writes !== true) return;
      toasts.getState().show({
        kind: 'bad',
        text: 'It is not known whether this was carried out',
        detail: 'The service has not answered. Look again once it does, before you repeat it.',
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
            ? 'It goes on by itself once the service answers. If you close this before, it is not known whether it was carried out.'
            : 'What is missing here comes as soon as it answers.'}
        </p>
      </Note>
    </div>
  );
}
