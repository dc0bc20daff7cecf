import { Pause, Play, RotateCw, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { toApiError } from '../../api/requests/problem.ts';
import type { Job, JobAction, JobKind } from '../../api/requests/types.ts';
import { useApp, useUnits } from '../../context/context.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { countOf, fractionDone } from '../../../src-shared/format/quantities.ts';
import { jobTransitions } from '../../../src-shared/states/job-states.ts';
import { offers } from '../../../src-shared/states/transitions.ts';
import { ProgressBar } from '../../ui/notes/progress-bar.tsx';
import { MoreWork, WorkPanel, WorkRow } from '../../ui/notes/work-row.tsx';
import { CancelJobsDialog } from './cancel-jobs-dialog.tsx';
import { describeProgress, isOfMany, jobName, jobVerbs } from '../../words/job-words.ts';

const maxActiveShown = 3;
const maxFailedShown = 2;
/**
 * Jobs that can be retried here: the others need paths of the service's machine, or are started
 * again on their own screen.
 */
const triedAgain = {
  everywhere: ['verify'],
  atTheWindow: ['verify', 'register', 'export', 'backup'],
} as const satisfies Record<string, readonly JobKind[]>;

/** Running and failed jobs, above the list. */
export function JobsPanel() {
  const { live } = useApp();
  const jobs = useStore(live, (state) => state.jobs);
  const [all, setAll] = useState(false);
  const [asking, setAsking] = useState(false);
  const { active, failed } = useMemo(() => {
    const lasting = [...jobs.values()].filter((job) => job.kind !== 'stage');
    return {
      active: lasting.filter((job) => job.ended_at === null).toSorted((one, other) => one.id - other.id),
      failed: lasting.filter((job) => job.state === 'failed').toSorted((one, other) => other.id - one.id),
    };
  }, [jobs]);
  const shown = all ? [...active, ...failed] : [...active.slice(0, maxActiveShown), ...failed.slice(0, maxFailedShown)];
  const count = active.length + failed.length;
  if (count === 0) return null;
  return (
    <WorkPanel label="Jobs">
      <ul>
        {shown.map((job) => (
          <JobRow key={job.id} job={job} />
        ))}
      </ul>
      {all || shown.length < count ? (
        <MoreWork all={all} hidden={countOf(count - shown.length, 'more job')} onToggle={() => setAll(!all)}>
          {active.length > 1 ? (
            <Button look="quiet" onClick={() => setAsking(true)}>
              Cancel all
            </Button>
          ) : null}
        </MoreWork>
      ) : null}
      {asking ? <CancelJobsDialog jobs={active} onClose={() => setAsking(false)} /> : null}
    </WorkPanel>
  );
}

function JobRow({ job }: { readonly job: Job }) {
  const { live, actions, toasts } = useApp();
  const units = useUnits();
  const failed = job.state === 'failed';
  const paused = offers(jobTransitions, job.state, 'resume');
  const control = (action: JobAction): void => {
    actions.controlJob(job.id, action).then(
      (after) => {
        // A retry is a new job, which replaces the failed one.
        if (after.state === 'cancelled' || after.id !== job.id) live.getState().forgetJob(job.id);
        if (after.state !== 'cancelled') live.getState().putJob(after);
      },
      (error: unknown) =>
        toasts.getState().show({ kind: 'bad', text: `The job cannot be changed`, detail: toApiError(error).detail }),
    );
  };
  const name = jobName(job);
  return (
    <WorkRow
      failed={failed}
      name={
        <>
          {isOfMany(job) ? name : jobVerbs[job.kind]}{' '}
          {job.measurement_id === '' ? null : <code>{job.measurement_id}</code>}
        </>
      }
      amount={describeProgress(job, units)}
      reason={failed ? (job.message ?? 'It failed without a reason.') : null}
      bar={
        <ProgressBar
          fraction={
            job.state === 'running' && job.bytes_total === 0 && job.files_total === 0 ? null : fractionDone(job)
          }
          paused={paused || job.state === 'queued'}
          label={name}
        />
      }
      controls={<JobControls job={job} name={name} control={control} />}
    />
  );
}

interface JobControlsProps {
  readonly job: Job;
  readonly name: string;
  readonly control: (action: JobAction) => void;
}

function JobControls({ job, name, control }: JobControlsProps) {
  const { live, dismissedJobs, desktop } = useApp();
  const retryable: readonly JobKind[] = desktop ? triedAgain.atTheWindow : triedAgain.everywhere;
  const dismiss = (): void => {
    dismissedJobs.add(job);
    live.getState().forgetJob(job.id);
  };
  if (job.state === 'failed')
    return (
      <>
        {offers(jobTransitions, job.state, 'retry') && retryable.includes(job.kind) ? (
          <IconButton label={`Try again ${name}`} icon={<RotateCw />} onClick={() => control('retry')} />
        ) : null}
        <IconButton label={`Dismiss ${name}`} icon={<X />} onClick={dismiss} />
      </>
    );
  return (
    <>
      {offers(jobTransitions, job.state, 'resume') ? (
        <IconButton label={`Resume ${name}`} icon={<Play />} onClick={() => control('resume')} />
      ) : (
        <IconButton label={`Pause ${name}`} icon={<Pause />} onClick={() => control('pause')} />
      )}
      <IconButton label={`Cancel ${name}`} icon={<X />} onClick={() => control('cancel')} />
    </>
  );
}
