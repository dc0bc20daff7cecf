import { Link } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { CircleCheck, FileBadge, ListX, Pause, Play, RotateCw, ScanSearch, TriangleAlert, X } from 'lucide-react';
import { useState } from 'react';
import { copyTransitions } from '../../../src-shared/states/copy-states.ts';
import { offers } from '../../../src-shared/states/transitions.ts';
import { plainText } from '../../../src-shared/format/shown-text.ts';
import { toApiError } from '../../api/requests/problem.ts';
import type { Copy, CopyAction } from '../../api/requests/types.ts';
import { useApp, useToast, useUnits } from '../../context/context.ts';
import { copyAmount, isOverdue } from '../../words/copy-words.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { saveText } from '../../ui/controls/save-text.ts';
import { RetryTime } from '../../ui/figures/retry-time.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { Moment } from '../../ui/figures/moment.tsx';
import { useNow } from '../../ui/hooks/use-now.ts';
import { ProgressBar } from '../../ui/notes/progress-bar.tsx';
import { StatusWord } from '../../ui/notes/status-word.tsx';
import { WorkRow } from '../../ui/notes/work-row.tsx';

interface CopyRowProps {
  readonly copy: Copy;
  /** In the list of all, where the measurement has to be named. */
  readonly namesMeasurement: boolean;
}

/** One copy on another server: its state, and what can be done with it. */
export function CopyRow({ copy, namesMeasurement }: CopyRowProps) {
  const units = useUnits();
  const { state, message, retry_at: retryAt } = copy;
  const isMoving = state === 'sending' || state === 'waiting' || state === 'paused';
  return (
    <WorkRow
      name={<CopyName copy={copy} namesMeasurement={namesMeasurement} />}
      amount={
        <>
          {copyAmount(copy, units)}
          {state === 'waiting' && retryAt !== null ? (
            <>
              , <RetryTime at={retryAt} />
            </>
          ) : null}
        </>
      }
      reason={state === 'verified' ? <VerifiedLine copy={copy} /> : message}
      failed={state === 'failed'}
      bar={
        isMoving ? (
          <ProgressBar
            fraction={copy.bytes_total === 0 ? 1 : copy.bytes_done / copy.bytes_total}
            paused={state !== 'sending'}
            label={`Copy of ${copy.measurement_id} on ${copy.server_name}`}
          />
        ) : null
      }
      controls={<CopyControls copy={copy} />}
    />
  );
}

function CopyName({ copy, namesMeasurement }: CopyRowProps) {
  const server = plainText(copy.server_name);
  if (!namesMeasurement) return <strong>{server}</strong>;
  return (
    <span>
      <Link to="/measurements/$measurementId" params={{ measurementId: copy.measurement_id }}>
        <code>{copy.measurement_id}</code>
      </Link>{' '}
      on <strong>{server}</strong>
    </span>
  );
}

function VerifiedLine({ copy }: { readonly copy: Copy }) {
  const overdue = isOverdue(copy, useNow().getTime());
  return (
    <StatusWord
      tone={overdue ? 'warn' : 'ok'}
      icon={overdue ? TriangleAlert : CircleCheck}
      word={
        <>
          {overdue ? 'The server has not answered since it was' : 'Receipt kept,'} verified{' '}
          <Moment at={copy.verified_at ?? copy.created_at} />
        </>
      }
    />
  );
}

const verbs = {
  resume: { word: 'Resume', icon: <Play /> },
  pause: { word: 'Pause', icon: <Pause /> },
  retry: { word: 'Try again', icon: <RotateCw /> },
  check: { word: 'Check now', icon: <ScanSearch /> },
  cancel: { word: 'Cancel', icon: <X /> },
  remove: { word: 'Remove from the list', icon: <ListX /> },
} as const;

/** Actions that the table of states offers for a copy. */
function actionsOf({ state }: Copy): readonly CopyAction[] {
  const ofTable = (['resume', 'pause', 'retry', 'cancel'] as const).filter((action) =>
    offers(copyTransitions, state, action),
  );
  if (state === 'verified') return ['check', 'remove'];
  return ofTable.includes('cancel') ? ofTable : [...ofTable, 'remove'];
}

function CopyControls({ copy }: { readonly copy: Copy }) {
  const { actions } = useApp();
  const toast = useToast();
  const client = useQueryClient();
  const of = `${copy.measurement_id} on ${copy.server_name}`;
  const attempt = async (work: () => Promise<unknown>, failed: string): Promise<void> => {
    try {
      await work();
    } catch (error) {
      toast({ kind: 'bad', text: failed, detail: toApiError(error).detail });
    }
    await client.invalidateQueries({ queryKey: ['copies'] });
  };
  const act = async (action: CopyAction): Promise<void> =>
    attempt(async () => actions.actOnCopies(action, [copy.id]), `The copy of ${of} was not changed`);
  const [asking, setAsking] = useState(false);
  const saveReceipt = async (): Promise<void> => {
    const receipt = await actions.copyReceipt(copy.id);
    saveText(`${copy.measurement_id}.receipt.json`, `${JSON.stringify(receipt, null, 2)}\n`);
  };
  return (
    <>
      {copy.has_receipt ? (
        <IconButton
          label={`Save the receipt of ${of}`}
          icon={<FileBadge />}
          onClick={() => void attempt(saveReceipt, 'The receipt was not saved')}
        />
      ) : null}
      {actionsOf(copy).map((action) => (
        <IconButton
          key={action}
          label={`${verbs[action].word}: ${of}`}
          icon={verbs[action].icon}
          onClick={() => (action === 'remove' && copy.has_receipt ? setAsking(true) : void act(action))}
        />
      ))}
      <ConfirmDialog
        open={asking}
        title={`Remove the copy of ${of} from the list?`}
        verb="Remove"
        onConfirm={async () => act('remove')}
        onClose={() => setAsking(false)}
      >
        Its receipt is removed here, and it is no longer checked. On the server the copy stays.
      </ConfirmDialog>
    </>
  );
}
