import { CircleAlert, X } from 'lucide-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { fractionDone } from '../../../src-shared/format/quantities.ts';
import { plainText } from '../../../src-shared/format/shown-text.ts';
import { ProgressBar } from '../../ui/notes/progress-bar.tsx';
import { useApp } from '../../context/context.ts';
import type { Toast } from '../../context/stores.ts';
import styles from './toasts.module.css';

const shownFor = 6000;

function ToastCard({ toast }: { readonly toast: Toast }) {
  const { toasts, live, actions } = useApp();
  const job = useStore(live, (state) => (toast.jobId === undefined ? undefined : state.jobs.get(toast.jobId)));
  const { dismiss } = toasts.getState();
  const working = (job !== undefined && job.ended_at === null) || toast.fraction !== undefined;
  const { id, kind } = toast;
  useEffect(() => {
    if (working) return undefined;
    // An error stays twice as long: it has to be read, not only noticed.
    const timer = setTimeout(
      () => dismiss(id),
      kind === 'bad' ? 2 * shownFor : toast.jobId === undefined ? shownFor : 1500,
    );
    return () => clearTimeout(timer);
  }, [working, dismiss, id, kind, toast.jobId]);

  return (
    <li className={`${styles['toast']} ${kind === 'bad' ? styles['bad'] : ''}`}>
      {kind === 'bad' ? <CircleAlert aria-hidden /> : null}
      <div className={styles['text']}>
        <p>{plainText(toast.text)}</p>
        {toast.detail === undefined || toast.detail === '' ? null : (
          <p className={styles['detail']}>{plainText(toast.detail)}</p>
        )}
        {working ? (
          <ProgressBar fraction={toast.fraction ?? (job === undefined ? null : fractionDone(job))} label={toast.text} />
        ) : null}
      </div>
      {toast.action === undefined ? null : (
        <Button
          onClick={() => {
            dismiss(id);
            toast.action?.run();
          }}
        >
          {toast.action.label}
        </Button>
      )}
      {working && job !== undefined ? (
        <Button onClick={() => void actions.controlJob(job.id, 'cancel')}>Cancel</Button>
      ) : null}
      {toast.fraction === undefined ? <IconButton label="Dismiss" icon={<X />} onClick={() => dismiss(id)} /> : null}
    </li>
  );
}

/** Short messages in the corner, announced to screen readers. */
export function Toasts() {
  const { toasts } = useApp();
  const shown = useStore(toasts, (state) => state.toasts);
  return (
    <div role="status" aria-live="polite" className={styles['place']}>
      <ul>
        {shown.map((toast) => (
          <ToastCard key={toast.id} toast={toast} />
        ))}
      </ul>
    </div>
  );
}
