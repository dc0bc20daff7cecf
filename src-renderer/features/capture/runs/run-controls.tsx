import { CirclePlay, CopyPlus, FileX2, ListRestart, RotateCw, ShieldCheck, SkipForward } from 'lucide-react';
import type { CaptureRun } from '../../../api/requests/types.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { MoreMenu } from '../../../ui/controls/menu.tsx';
import type { AskedOfRun } from './run-dialogs.tsx';
import { runOffers, type RunOffer } from './run-offers.ts';
import { useRunActions } from './use-run-actions.ts';
import styles from './run-row.module.css';

interface RunControlsProps {
  readonly run: CaptureRun;
  readonly onAsk: (asked: AskedOfRun) => void;
}

const verbs = {
  register: { word: 'Register now…', icon: <CirclePlay aria-hidden /> },
  retry: { word: 'Retry', icon: <RotateCw aria-hidden /> },
  'retry-as': { word: 'Retry with another id…', icon: <RotateCw aria-hidden /> },
  'leave-out': { word: 'Register without those files…', icon: <FileX2 aria-hidden /> },
  another: { word: 'Register as another measurement…', icon: <CopyPlus aria-hidden /> },
  keep: { word: 'Keep what was registered', icon: <ShieldCheck aria-hidden /> },
  skip: { word: 'Skip', icon: <SkipForward aria-hidden /> },
  'take-up': { word: 'Do not skip', icon: <ListRestart aria-hidden /> },
} as const satisfies Record<RunOffer, unknown>;

/** Carries out what was chosen, or asks first. */
function useChoose({ run, onAsk }: RunControlsProps): (offer: RunOffer) => void {
  const { act } = useRunActions();
  return (offer) => {
    switch (offer) {
      case 'register':
      case 'retry-as':
      case 'leave-out':
      case 'another':
        return onAsk({ kind: offer, run });
      case 'take-up':
        return act(run, { action: 'retry' });
      case 'retry':
      case 'keep':
      case 'skip':
        return act(run, { action: offer });
    }
  };
}

const isDecision = ({ state }: CaptureRun): boolean => state === 'needs-you' || state === 'changed-after';

/** The decisions that a run waits for, in words. */
export function RunButtons(props: RunControlsProps) {
  const choose = useChoose(props);
  if (!isDecision(props.run)) return null;
  return (
    <span className={`row ${styles['buttons']}`} role="group" aria-label={`Decide about ${props.run.name}`}>
      {runOffers(props.run).map((offer) => (
        <Button key={offer} icon={verbs[offer].icon} onClick={() => choose(offer)}>
          {verbs[offer].word}
        </Button>
      ))}
    </span>
  );
}

/** Actions on a run that does not wait for anybody. */
export function RunMenu(props: RunControlsProps) {
  const choose = useChoose(props);
  const offered = isDecision(props.run) ? [] : runOffers(props.run);
  if (offered.length === 0) return null;
  return (
    <MoreMenu
      label={`Actions for ${props.run.name}`}
      entries={offered.map((offer) => ({
        kind: 'item',
        id: offer,
        label: verbs[offer].word,
        icon: verbs[offer].icon,
        run: () => choose(offer),
      }))}
    />
  );
}
