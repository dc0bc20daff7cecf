import { useEffect, useRef, useState } from 'react';
import type { Inspection, Job } from '../../../api/requests/types.ts';
import { useApp, useUnits } from '../../../context/context.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { countOf, exactBytes, formatBytes } from '../../../../src-shared/format/quantities.ts';
import { ProblemNote } from '../../../ui/notes/problem-note.tsx';
import { idFault } from '../../../ui/controls/measurement-id-field.tsx';
import { useSubmit } from '../../../ui/hooks/use-submit.ts';
import { MinorFindings, Refusals } from './register-findings.tsx';
import { RegisterFields, type RegisterInput } from './register-fields.tsx';

interface RegisterFormProps {
  readonly inspection: Inspection;
  readonly onCancel: () => void;
  readonly onSkip: (() => void) | null;
  /** True to leave out files that cannot be registered without asking. */
  readonly leaveOutOfAll: boolean;
  /** Null for the last path. */
  readonly onLeaveOutOfAll: (() => void) | null;
  readonly onLookAgain: () => void;
  readonly onRegistered: (job: Job) => void;
}

const kinds = { folder: 'Folder', file: 'File', zip: 'ZIP archive' } as const;

/** The form for one inspected path. */
export function RegisterForm({
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
  const [input, setInput] = useState<RegisterInput>({
    id: inspection.suggested_id,
    title: inspection.suggested_title,
    copy: inspection.kind === 'zip',
  });
  const [leaveOutHere, setLeaveOut] = useState(false);
  const unsupported = inspection.refusals.length > 0;
  const leaveOut = unsupported && inspection.file_count > 0 && (leaveOutHere || leaveOutOfAll);
  const refused = unsupported && !leaveOut;
  const badId = idFault(input.id);

  // The dialog opened before its fields existed and focused its close button.
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);

  const { busy, failure, submit } = useSubmit(async () =>
    onRegistered(
      await actions.register({
        path: inspection.path,
        id: input.id,
        title: input.title.trim() === '' ? input.id : input.title.trim(),
        copy: input.copy,
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
        <Refusals
          inspection={inspection}
          refused={refused}
          onLookAgain={onLookAgain}
          onLeaveOut={() => setLeaveOut(true)}
          onLeaveOutOfAll={onLeaveOutOfAll}
        />
      ) : null}
      <MinorFindings inspection={inspection} />
      {refused ? null : <RegisterFields inspection={inspection} input={input} onInput={setInput} />}
      <ProblemNote error={failure} />
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
