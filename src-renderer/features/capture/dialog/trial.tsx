import { CircleCheck, CircleDashed, FlaskConical } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { plainText } from '../../../../src-shared/format/shown-text.ts';
import { countOf, exactBytes, formatBytes } from '../../../../src-shared/format/quantities.ts';
import type { CaptureReason, CaptureTrial } from '../../../api/requests/types.ts';
import { useApp, useUnits } from '../../../context/context.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useSubmit } from '../../../ui/hooks/use-submit.ts';
import { Note } from '../../../ui/notes/note.tsx';
import { ProblemNote } from '../../../ui/notes/problem-note.tsx';
import { StatusWord } from '../../../ui/notes/status-word.tsx';
import { captureStateWords, whyNotNow } from '../../../words/capture-words.ts';
import { inputOf, isReady, type RuleDraft } from './rule-draft.ts';
import styles from './trial.module.css';

/** A look at what the rule would do now; nothing is registered. */
export function Trial({ draft, ruleId }: { readonly draft: RuleDraft; readonly ruleId: number | null }) {
  const { actions } = useApp();
  const [found, setFound] = useState<{ readonly trial: CaptureTrial; readonly of: string } | null>(null);
  const input = inputOf(draft);
  const asked = JSON.stringify(input);
  const { busy, failure, submit } = useSubmit(async () =>
    setFound({ trial: await actions.tryCapture(input, ruleId), of: asked }),
  );
  return (
    <section className={styles['trial']} aria-label="Try it">
      <div className="row middle">
        <Button icon={<FlaskConical aria-hidden />} busy={busy} disabled={!isReady(draft)} onClick={submit}>
          Try it
        </Button>
        <span className="remark">
          {draft.folder === ''
            ? 'Shows which runs the rule would find. Choose a folder first.'
            : 'Shows which runs the rule would find. Nothing is registered.'}
        </span>
      </div>
      <ProblemNote error={failure} />
      {found === null || failure !== null ? null : (
        <>
          {found.of === asked ? null : <p className="remark">The settings have changed since. Try it again.</p>}
          <TrialResult key={found.of} trial={found.trial} />
        </>
      )}
    </section>
  );
}

const shownAtFirst = 10;

/** Reasons that go by themselves, once the instrument is done. */
const comesByWaiting: ReadonlySet<CaptureReason | null> = new Set(['no-sign', 'unfinished']);

function TrialResult({ trial }: { readonly trial: CaptureTrial }) {
  // It appears below the button, where a low window ends.
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={place} className={styles['result']}>
      <div role="status">
        {trial.message === null ? (
          <p className={styles['total']}>{totalWords(trial)}</p>
        ) : (
          <Note kind="warn">{plainText(trial.message)}</Note>
        )}
      </div>
      {trial.runs.length === 0 ? null : <TrialRuns runs={trial.runs} />}
    </div>
  );
}

function totalWords({ total, runs }: CaptureTrial): string {
  const listed = total > runs.length ? `, of which ${countOf(runs.length, 'is', 'are')} listed` : '';
  return `${countOf(total, 'run')} in the folder${listed}`;
}

function TrialRuns({ runs }: Pick<CaptureTrial, 'runs'>) {
  const [all, setAll] = useState(false);
  return (
    <>
      <ul aria-label="Runs that the rule finds" className={styles['runs']}>
        {(all ? runs : runs.slice(0, shownAtFirst)).map((run) => (
          <TrialRow key={run.name} run={run} />
        ))}
      </ul>
      {runs.length <= shownAtFirst ? null : (
        <Button look="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Show fewer' : `Show ${runs.length - shownAtFirst} more`}
        </Button>
      )}
    </>
  );
}

function TrialRow({ run }: { readonly run: CaptureTrial['runs'][number] }) {
  const units = useUnits();
  const why = whyNotNow(run);
  const names = [
    ['Id', run.measurement_id],
    ['Title', run.title === run.measurement_id ? null : run.title],
    ['Owner', run.owner],
    ['Project', run.project],
  ].filter((pair): pair is [string, string] => pair[1] !== null && pair[1] !== undefined);
  return (
    <li className={styles['run']}>
      <span className={styles['line']}>
        <span className="named">{plainText(run.name)}</span>
        {run.is_complete ? (
          <StatusWord tone="ok" icon={CircleCheck} word="Complete" />
        ) : (
          <StatusWord tone="quiet" icon={CircleDashed} word="Not complete yet" />
        )}
      </span>
      <span className="pieces">
        {names.map(([label, value]) => (
          <span key={label}>
            {label} <span className={styles['value']}>{plainText(value)}</span>
          </span>
        ))}
        <span className="digits" title={exactBytes(run.total_bytes)}>
          {countOf(run.file_count, 'file')}, {formatBytes(run.total_bytes, units)}
        </span>
        {run.known_as === null ? null : (
          <span>Known already: {captureStateWords[run.known_as].word.toLowerCase()}</span>
        )}
      </span>
      {why === null ? null : (
        <span className={`breakable ${comesByWaiting.has(run.reason) ? 'remark' : styles['why']}`}>
          {plainText(why)}
        </span>
      )}
    </li>
  );
}
