import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FolderUp, Pause, Play, RotateCw, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { countOf, formatBytes, type SizeUnits } from '../../../src-shared/format/quantities.ts';
import { offers } from '../../../src-shared/states/transitions.ts';
import { uploadTransitions } from '../../../src-shared/states/upload-states.ts';
import type { Upload } from '../../api/requests/types.ts';
import { useApp, useUnits } from '../../context/context.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { MoreWork, WorkPanel, WorkRow } from '../../ui/notes/work-row.tsx';
import { ProgressBar } from '../../ui/notes/progress-bar.tsx';
import type { UploadNames } from '../../api/uploads/upload-api.ts';
import type { UploadTask } from '../../api/uploads/uploads-store.ts';

const lookEveryMs = 30_000;
const maxShown = 3;

/** Uploads of this page, and those that another page or program began and did not finish. */
export function UploadsPanel({ onGoOn }: { readonly onGoOn: (names: UploadNames) => void }) {
  const { uploads } = useApp();
  const tasks = useStore(uploads.store, (state) => state.tasks);
  const unfinished = useQuery({
    queryKey: ['uploads', 'unfinished'],
    queryFn: async ({ signal }) => uploads.api.unfinished(signal),
    refetchInterval: lookEveryMs,
  });
  const own = new Set(tasks.map(({ names }) => names.id));
  const left = (unfinished.data ?? []).filter((upload) => !own.has(upload.measurement_id));
  useEndWarning(tasks.some(({ state }) => state !== 'failed' && state !== 'paused'));
  const [all, setAll] = useState(false);
  const count = tasks.length + left.length;
  if (count === 0) return null;
  const shown = all ? count : maxShown;
  return (
    <WorkPanel label="Uploads">
      <ul>
        {tasks.slice(0, shown).map((task) => (
          <TaskRow key={task.key} task={task} />
        ))}
        {left.slice(0, Math.max(0, shown - tasks.length)).map((upload) => (
          <LeftRow key={upload.id} upload={upload} onGoOn={onGoOn} />
        ))}
      </ul>
      {count > maxShown ? (
        <MoreWork all={all} hidden={countOf(count - maxShown, 'more upload')} onToggle={() => setAll(!all)} />
      ) : null}
    </WorkPanel>
  );
}

/** Has the browser ask before the page is closed, which would end the uploads. */
function useEndWarning(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isNeeded]);
}

function TaskRow({ task }: { readonly task: UploadTask }) {
  const { uploads } = useApp();
  const client = useQueryClient();
  const units = useUnits();
  const { key, state, names, reason, uploadId } = task;
  const resume = (): void => uploads.resume(key);
  const isFailed = state === 'failed';
  const giveUp = async (): Promise<void> => {
    await uploads.giveUp(key);
    await client.invalidateQueries({ queryKey: ['uploads'] });
  };
  return (
    <WorkRow
      name={<UploadName id={names.id} />}
      amount={amountOf(task, units)}
      reason={reason}
      failed={isFailed}
      bar={<ProgressBar fraction={fractionOf(task)} paused={state === 'paused'} label={`Upload of ${names.id}`} />}
      controls={
        <>
          {isFailed ? (
            <IconButton label={`Try again the upload of ${names.id}`} icon={<RotateCw />} onClick={resume} />
          ) : state === 'paused' ? (
            <IconButton label={`Resume the upload of ${names.id}`} icon={<Play />} onClick={resume} />
          ) : offers(uploadTransitions, state, 'pause') ? (
            <IconButton label={`Pause the upload of ${names.id}`} icon={<Pause />} onClick={() => uploads.pause(key)} />
          ) : null}
          {isFailed && uploadId === null ? (
            <IconButton label={`Dismiss the upload of ${names.id}`} icon={<X />} onClick={() => uploads.dismiss(key)} />
          ) : state === 'registering' ? null : (
            <GiveUp id={names.id} onGiveUp={giveUp} />
          )}
        </>
      }
    />
  );
}

function UploadName({ id }: { readonly id: string }) {
  return (
    <>
      Upload <code>{id}</code>
    </>
  );
}

function LeftRow({ upload, onGoOn }: { readonly upload: Upload; readonly onGoOn: (names: UploadNames) => void }) {
  const { uploads } = useApp();
  const units = useUnits();
  const client = useQueryClient();
  const { id, measurement_id: measurementId, title, offset, length } = upload;
  const giveUp = async (): Promise<void> => {
    if (id !== null) await uploads.api.remove(id);
    await client.invalidateQueries({ queryKey: ['uploads'] });
  };
  const of = length === null ? '' : ` of ${formatBytes(length, units)}`;
  return (
    <WorkRow
      name={<UploadName id={measurementId} />}
      amount={`Not finished, ${formatBytes(offset, units)}${of}`}
      reason={null}
      failed={false}
      bar={
        <ProgressBar
          fraction={length === null || length === 0 ? 0 : offset / length}
          paused
          label={`Upload of ${measurementId}`}
        />
      }
      controls={
        <>
          <IconButton
            label={`Go on with the upload of ${measurementId}`}
            icon={<FolderUp />}
            onClick={() => onGoOn({ id: measurementId, title })}
          />
          <GiveUp id={measurementId} onGiveUp={giveUp} />
        </>
      }
    />
  );
}

function GiveUp({ id, onGiveUp }: { readonly id: string; readonly onGiveUp: () => Promise<void> }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <IconButton label={`Give up the upload of ${id}`} icon={<X />} onClick={() => setAsking(true)} />
      <ConfirmDialog
        open={asking}
        title={`Give up the upload of ${id}?`}
        verb="Give up"
        onConfirm={onGiveUp}
        onClose={() => setAsking(false)}
      >
        What the service has of it is removed. Your files stay where they are.
      </ConfirmDialog>
    </>
  );
}

function fractionOf({ state, bytes, bytesRead, sent, length }: UploadTask): number | null {
  if (state === 'registering') return null;
  if (length > 0) return Math.min(1, sent / length);
  return bytes === 0 ? null : Math.min(1, bytesRead / bytes);
}

function amountOf({ state, bytes, bytesRead, sent, length }: UploadTask, units: SizeUnits): string {
  const of = (part: number, whole: number): string => `${formatBytes(part, units)} of ${formatBytes(whole, units)}`;
  const amount = length > 0 ? of(sent, length) : of(bytesRead, bytes);
  switch (state) {
    case 'reading':
      return `Computing checksums, ${of(bytesRead, bytes)}`;
    case 'sending':
      return `Sending, ${amount}`;
    case 'waiting':
      return `Waiting, ${amount}`;
    case 'paused':
      return `Paused, ${amount}`;
    case 'registering':
      return 'Registering';
    case 'failed':
    case 'done':
      return '';
  }
}
