import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronRight, FolderX } from 'lucide-react';
import { useId, useState } from 'react';
import { plainText } from '../../../../src-shared/format/shown-text.ts';
import { countOf, exactBytes, formatBytes } from '../../../../src-shared/format/quantities.ts';
import type { CaptureRun } from '../../../api/requests/types.ts';
import { useUnits } from '../../../context/context.ts';
import { captureStateWords, whyOf } from '../../../words/capture-words.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { Moment } from '../../../ui/figures/moment.tsx';
import { StatusWord } from '../../../ui/notes/status-word.tsx';
import { RunState } from '../states/state-look.tsx';
import { RunButtons, RunMenu } from './run-controls.tsx';
import type { AskedOfRun } from './run-dialogs.tsx';
import { RunHistory } from './run-history.tsx';
import lines from '../../../ui/styles/two-lines.module.css';
import styles from './run-row.module.css';

interface RunRowProps {
  readonly run: CaptureRun;
  /** Set where the list has runs of several rules. */
  readonly namesRule: boolean;
  readonly onAsk: (asked: AskedOfRun) => void;
}

/** One run of a watched folder, which expands to its history. */
export function RunRow({ run, namesRule, onAsk }: RunRowProps) {
  const units = useUnits();
  const id = useId();
  const [open, setOpen] = useState(false);
  const name = plainText(run.name);
  const asks = captureStateWords[run.state].kind === 'warn';
  return (
    <li className={styles['item']}>
      <div className={styles['row']}>
        <IconButton
          label={`History of ${name}`}
          icon={open ? <ChevronDown /> : <ChevronRight />}
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={() => setOpen(!open)}
        />
        <div className={`${lines['stack']} ${styles['text']}`}>
          <span className="named">{name}</span>
          <RunPlaces run={run} namesRule={namesRule} />
          {asks ? null : <RunRemarks run={run} asks={false} />}
        </div>
        <div className={styles['facts']}>
          <span>
            <RunState state={run.state} />
          </span>
          <span className={styles['size']} title={exactBytes(run.total_bytes)}>
            {countOf(run.file_count, 'file')}, {formatBytes(run.total_bytes, units)}
          </span>
          <span className={`remark ${styles['times']}`}>
            <span>
              Changed <Moment at={run.changed_at} />
            </span>
            {run.ready_at === null ? (
              <span>
                First seen <Moment at={run.first_seen_at} />
              </span>
            ) : (
              <span>
                Complete <Moment at={run.ready_at} />
              </span>
            )}
          </span>
        </div>
        <span className={styles['controls']}>
          <RunMenu run={run} onAsk={onAsk} />
        </span>
        {asks ? (
          <div className={`${lines['stack']} ${styles['below']}`}>
            <RunRemarks run={run} asks />
            <RunButtons run={run} onAsk={onAsk} />
          </div>
        ) : null}
      </div>
      {open ? <RunHistory id={id} run={run} /> : null}
    </li>
  );
}

/** The rule and the measurement of a run, where there is something to name. */
function RunPlaces({ run, namesRule }: Omit<RunRowProps, 'onAsk'>) {
  if (!namesRule && run.measurement_id === null) return null;
  return (
    <span className="pieces">
      {namesRule ? <span>{plainText(run.rule_name)}</span> : null}
      {run.measurement_id === null ? null : (
        <Link to="/measurements/$measurementId" params={{ measurementId: run.measurement_id }}>
          <code>{run.measurement_id}</code>
        </Link>
      )}
    </span>
  );
}

/** Why a run is where it is, and whether it is still in the folder. */
function RunRemarks({ run, asks }: { readonly run: CaptureRun; readonly asks: boolean }) {
  const why = whyOf(run);
  return (
    <>
      {why === null ? null : (
        <span className={`breakable ${asks ? styles['asks'] : `remark ${styles['why']}`}`}>{plainText(why)}</span>
      )}
      {run.missing ? (
        <span className="remark">
          <StatusWord tone="quiet" icon={FolderX} word="No longer in the folder" />
        </span>
      ) : null}
    </>
  );
}
