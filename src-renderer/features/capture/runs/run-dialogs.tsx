import { useState } from 'react';
import type { CaptureRun } from '../../../api/requests/types.ts';
import { useToast } from '../../../context/context.ts';
import { idFault, MeasurementIdField } from '../../../ui/controls/measurement-id-field.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { DialogForm } from '../../../ui/dialogs/form.tsx';
import { signWords, whyOf } from '../../../words/capture-words.ts';
import type { CaptureRule } from '../../../api/requests/types.ts';
import { otherId } from './run-offers.ts';
import { useRunActions } from './use-run-actions.ts';

export interface AskedOfRun {
  readonly kind: 'register' | 'retry-as' | 'leave-out' | 'another';
  readonly run: CaptureRun;
}

interface RunDialogsProps {
  readonly asked: AskedOfRun | null;
  readonly rules: readonly CaptureRule[];
  readonly onClose: () => void;
}

/** The questions about a run; at most one is open. */
export function RunDialogs({ asked, rules, onClose }: RunDialogsProps) {
  const { send } = useRunActions();
  const toast = useToast();
  if (asked === null) return null;
  const { kind, run } = asked;
  const rule = rules.find(({ id }) => id === run.rule_id);
  switch (kind) {
    case 'register':
      return (
        <ConfirmDialog
          open
          title={`Register ${run.name} now?`}
          verb="Register now"
          onConfirm={async () => {
            await send(run, { action: 'register' });
            toast({ kind: 'plain', text: `${run.name} is registered with the next look at its folder` });
          }}
          onClose={onClose}
        >
          <p>
            It may not be complete: the rule waits for {rule === undefined ? 'its sign' : waitedFor(rule)}. What the
            instrument writes later is not part of the measurement.
          </p>
        </ConfirmDialog>
      );
    case 'leave-out':
      return (
        <ConfirmDialog
          open
          title={`Register ${run.name} without these files?`}
          verb="Register without them"
          onConfirm={async () => send(run, { action: 'retry', leave_out: true })}
          onClose={onClose}
        >
          {run.message === null ? null : <p>{run.message}</p>}
          <p>The files whose names are refused stay in the folder, and are not part of the measurement.</p>
        </ConfirmDialog>
      );
    case 'retry-as':
    case 'another':
      return <IdDialog asked={asked} onClose={onClose} />;
  }
}

/** The sign of a rule, within a sentence. */
function waitedFor(rule: CaptureRule): string {
  if (rule.sign === 'marker') return signWords(rule);
  return rule.sign === 'quiet' ? `${signWords(rule).replace('quiet for ', '')} without a change` : 'it to be moved in';
}

/** Asks for the id under which a run is registered. */
function IdDialog({ asked: { kind, run }, onClose }: { readonly asked: AskedOfRun; readonly onClose: () => void }) {
  const { send } = useRunActions();
  const [id, setId] = useState(otherId(run));
  const about =
    kind === 'another'
      ? `The files as they are now become a measurement of their own. ${run.measurement_id ?? 'The earlier one'} stays registered as it was.`
      : whyOf(run);
  return (
    <Dialog
      open
      onClose={onClose}
      title={
        kind === 'another' ? `Register ${run.name} as another measurement` : `Register ${run.name} under another id`
      }
      description={about}
      width="narrow"
    >
      <DialogForm
        verb="Register"
        ready={idFault(id) === null}
        onCancel={onClose}
        onSubmit={async () => {
          await send(run, { action: 'retry', measurement_id: id });
          onClose();
        }}
      >
        <MeasurementIdField value={id} onChange={setId} />
      </DialogForm>
    </Dialog>
  );
}
