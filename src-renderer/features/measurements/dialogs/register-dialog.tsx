import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Inspection, Job } from '../../../api/requests/types.ts';
import { useApp, useUnits } from '../../../context/context.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { Choice, Choices, Field } from '../../../ui/controls/field.tsx';
import { countOf, exactBytes, formatBytes } from '../../../../src-shared/format/quantities.ts';
import { Note } from '../../../ui/notes/note.tsx';
import { ProblemNote } from '../../../ui/notes/problem-note.tsx';
import { useSubmit } from '../../../ui/hooks/use-submit.ts';
import { ProgressBar } from '../../../ui/notes/progress-bar.tsx';
import { FindingLine } from './finding-line.tsx';
import styles from './register-dialog.module.css';
import { byReason } from './warnings.ts';

export interface RegisterDialogProps {
  readonly paths: readonly string[];
  readonly onClose: () => void;
  readonly onRegistered: (job: Job) => void;
}

/** Looks at what was dropped or chosen, and registers it. Several paths come one after the other. */
export function RegisterDialog({ paths, onClose, onRegistered }: RegisterDialogProps) {
  const { actions } = useApp();
  const [position, setPosition] = useState(0);
  const [leaveOutOfAll, setLeaveOutOfAll] = useState(false);
  const path = paths[position] ?? '';
  const inspection = useQuery({
    queryKey: ['inspection', path],
    queryFn: ({ signal }) => actions.inspect(path, signal),
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  });
  const next = (): void => (position + 1 < paths.length ? setPosition(position + 1) : onClose());
  const several = paths.length > 1 ? ` ${position + 1} of ${paths.length}` : '';

  return (
    <Dialog open onClose={onClose} title={`Register${several}`}>
      <p className={styles['path']}>{path}</p>
      {inspection.isPending ? (
        <>
          <ProgressBar fraction={null} label="Looking at the files" />
          <p className={styles['muted']}>Looking at the files</p>
        </>
      ) : null}
      {inspection.error === null ? null : (
        <ProblemNote
          error={inspection.error}
          action={<Button onClick={() => void inspection.refetch()}>Look again</Button>}
        />
      )}
      {inspection.data === undefined ? (
        <div className="buttons">
          <Button onClick={onClose}>Cancel</Button>
          {several === '' ? null : <Button onClick={next}>Skip</Button>}
        </div>
      ) : (
        <RegisterForm
          key={path}
          inspection={inspection.data}
          onCancel={onClose}
          onSkip={several === '' ? null : next}
          leaveOutOfAll={leaveOutOfAll}
          onLeaveOutOfAll={position + 1 < paths.length ? () => setLeaveOutOfAll(true) : null}
          onLookAgain={() => void inspection.refetch()}
          onRegistered={(job) => {
            onRegistered(job);
            next();
          }}
        />
      )}
    </Dialog>
  );
}

interface RegisterFormProps {
  readonly inspection: Inspection;
  readonly onCancel: () => void;
  readonly onSkip: (() => void) | null;
  /** What cannot be registered is left out without another question. */
  readonly leaveOutOfAll: boolean;
  /** Null when nothing follows. */
  readonly onLeaveOutOfAll: (() => void) | null;
  readonly onLookAgain: () => void;
  readonly onRegistered: (job: Job) => void;
}

const kinds = { folder: 'Folder', file: 'File', zip: 'ZIP archive' } as const;

function RegisterForm({
  inspection,
  onCancel,
  onSkip,
  leaveOutOfAll,
  onLeaveOutOfAll,
  onLookAgain,
  onRegistered,
}: RegisterFormProps) {
  const { actions } = useApp();
  const units = useUnits();
  const [id, setId] = useState(inspection.suggested_id);
  const [title, setTitle] = useState(inspection.suggested_title);
  const [copy, setCopy] = useState(inspection.kind === 'zip');
  const [leaveOutHere, setLeaveOut] = useState(false);
  const unsupported = inspection.refusals.length > 0;
  const leaveOut = unsupported && inspection.file_count > 0 && (leaveOutHere || leaveOutOfAll);
  const refused = unsupported && !leaveOut;
  const names = namesOf(inspection.refusals);
  const badId = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(id)
    ? null
    : 'Letters, digits, dots, hyphens and underscores; the first one a letter or a digit; at most 128.';

  // The dialog was there before its fields, and has given the focus to what closes it.
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);

  const { busy, failure, submit } = useSubmit(async () =>
    onRegistered(
      await actions.register({
        path: inspection.path,
        id,
        title: title.trim() === '' ? id : title.trim(),
        copy,
        ...(leaveOut ? { leave_out: true } : {}),
      }),
    ),
  );

  return (
    <form
      ref={form}
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <p className="digits" title={exactBytes(inspection.total_bytes)}>
        {kinds[inspection.kind]} with <strong>{countOf(inspection.file_count, 'file')}</strong>,{' '}
        <strong>{formatBytes(inspection.total_bytes, units)}</strong>
      </p>
      {unsupported ? (
        <Note kind={refused ? 'bad' : 'warn'}>
          <p>
            <strong>
              {refused
                ? `${names} cannot be registered.`
                : `${names} will be left out. The list is kept with the measurement.`}
            </strong>
          </p>
          <ul className={styles['lines']}>
            {inspection.refusals.map((line) => (
              <li key={line}>
                <FindingLine line={line} />
              </li>
            ))}
          </ul>
          {refused ? (
            <div className="buttons">
              <Button onClick={onLookAgain}>Look again</Button>
              {inspection.file_count > 0 ? (
                <>
                  <Button onClick={() => setLeaveOut(true)}>Leave {names} out and register the rest</Button>
                  {onLeaveOutOfAll === null ? null : (
                    <Button onClick={onLeaveOutOfAll}>Do so for this and all that follow</Button>
                  )}
                </>
              ) : null}
            </div>
          ) : null}
        </Note>
      ) : null}
      {inspection.warnings.length === 0 ? null : (
        <Note kind="warn">
          <Warnings lines={inspection.warnings} />
        </Note>
      )}
      {inspection.ignored.length === 0 ? null : (
        <details className={styles['ignored']}>
          <summary>{countOf(inspection.ignored.length, 'name')} left out by the ignore list</summary>
          <Lines lines={inspection.ignored} />
        </details>
      )}
      {refused ? null : (
        <>
          <Field label="Id" error={badId} hint="Part of every download URL. It cannot be changed later.">
            {(wiring) => (
              <input
                {...wiring}
                required
                spellCheck={false}
                autoComplete="off"
                maxLength={128}
                value={id}
                onChange={(event) => setId(event.target.value)}
              />
            )}
          </Field>
          <Field label="Title">
            {(wiring) => (
              <input {...wiring} maxLength={200} value={title} onChange={(event) => setTitle(event.target.value)} />
            )}
          </Field>
          <Choices legend="Files">
            <Choice
              type="radio"
              name="copy"
              label="Leave them where they are"
              meaning={
                inspection.kind === 'zip'
                  ? 'Not possible for a ZIP: its files are unpacked into the library.'
                  : 'Benchport serves them from there. If a file is changed later, Benchport notices and stops serving it.'
              }
              checked={!copy}
              disabled={inspection.kind === 'zip'}
              onChange={() => setCopy(false)}
            />
            <Choice
              type="radio"
              name="copy"
              label="Copy them into the library"
              meaning={`Needs ${formatBytes(inspection.total_bytes, units)} more space; you may delete the originals afterwards.`}
              checked={copy}
              onChange={() => setCopy(true)}
            />
          </Choices>
        </>
      )}
      {failure === null ? null : <ProblemNote error={failure} />}
      <div className="buttons">
        <Button onClick={onCancel}>Cancel</Button>
        {onSkip === null ? null : <Button onClick={onSkip}>Skip</Button>}
        {refused ? null : (
          <Button look="primary" type="submit" busy={busy} disabled={badId !== null}>
            Register
          </Button>
        )}
      </div>
    </form>
  );
}

/** How many names, of lines of which the last may count the rest. */
function namesOf(refusals: readonly string[]): string {
  const rest = Number(/^and ([\d\s]+) more$/u.exec(refusals.at(-1) ?? '')?.[1]?.replaceAll(/\s/gu, '') ?? 0);
  return countOf(rest > 0 ? refusals.length - 1 + rest : refusals.length, 'name');
}

/** What is said of many names is said once. */
function Warnings({ lines }: { readonly lines: readonly string[] }) {
  const { single, shared } = byReason(lines);
  return (
    <>
      {single.length === 0 ? null : <Lines lines={single} />}
      {shared.map(({ reason, names }) => (
        <details key={reason}>
          <summary>
            {reason.slice(0, 1).toUpperCase() + reason.slice(1)}: {countOf(names.length, 'name')}
          </summary>
          <Lines lines={names} />
        </details>
      ))}
    </>
  );
}

function Lines({ lines }: { readonly lines: readonly string[] }) {
  return (
    <ul className={styles['lines']}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
