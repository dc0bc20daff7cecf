import { Pause, Play, X } from 'lucide-react';
import { useStore } from 'zustand';
import type { Job } from '../../../api/requests/types.ts';
import { useApp, useUnits } from '../../../context/context.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { fractionDone } from '../../../../src-shared/format/quantities.ts';
import { jobTransitions } from '../../../../src-shared/states/job-states.ts';
import { offers } from '../../../../src-shared/states/transitions.ts';
import { ProblemNote } from '../../../ui/notes/problem-note.tsx';
import { ProgressBar } from '../../../ui/notes/progress-bar.tsx';
import { describeProgress, jobName } from '../../../words/job-words.ts';
import { useAttempts } from '../../../ui/hooks/use-submit.ts';
import styles from './backup-progress.module.css';

/**
 * Running and failed backups and restorations.
 * @param told a failure that is already shown above.
 */
export function BackupProgress({ told }: { readonly told: string | null }) {
  const { live } = useApp();
  const jobs = useStore(live, (state) => state.jobs);
  const shown = [...jobs.values()].filter(
    ({ kind, state, message, ended_at }) =>
      (kind === 'backup' || kind === 'restore') && (ended_at === null || (state === 'failed' && message !== told)),
  );
  return shown.map((job) => <Row key={job.id} job={job} />);
}

function Row({ job }: { readonly job: Job }) {
  const { actions, live } = useApp();
  const units = useUnits();
  const { failure, attempt } = useAttempts();
  const name = jobName(job);
  const paused = offers(jobTransitions, job.state, 'resume');

  const control = (action: 'pause' | 'resume' | 'cancel'): Promise<void> =>
    attempt(async () => {
      const after = await actions.controlJob(job.id, action);
      if (after.state === 'cancelled') live.getState().forgetJob(after.id);
      else live.getState().putJob(after);
    });

  if (job.state === 'failed') {
    return (
      <div className={styles['row']} role="alert">
        <p className={styles['reason']}>
          {name}: {job.message}
        </p>
        <IconButton label={`Dismiss ${name}`} icon={<X />} onClick={() => live.getState().forgetJob(job.id)} />
      </div>
    );
  }
  return (
    <>
      <div className={styles['row']}>
        <div className={styles['course']}>
          <p className={styles['line']}>
            <span>{name}</span>
            <span className={styles['amount']}>{job.message ?? describeProgress(job, units)}</span>
          </p>
          <ProgressBar
            fraction={job.bytes_total === 0 ? null : fractionDone(job)}
            paused={paused || job.state === 'queued'}
            label={name}
          />
        </div>
        <IconButton
          label={paused ? `Resume ${name}` : `Pause ${name}`}
          icon={paused ? <Play /> : <Pause />}
          onClick={() => void control(paused ? 'resume' : 'pause')}
        />
        <IconButton label={`Cancel ${name}`} icon={<X />} onClick={() => void control('cancel')} />
      </div>
      <ProblemNote error={failure} />
    </>
  );
}
