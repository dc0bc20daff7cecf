import { CircleCheck, EyeOff, RotateCcw, Trash2 } from 'lucide-react';
import { useStore } from 'zustand';
import type { ErrorDetail } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import type { CommandId } from '../../../context/command-catalogue.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { formatCount } from '../../../../src-shared/format/quantities.ts';
import { lineText } from '../../../../src-shared/format/shown-text.ts';
import { Moment } from '../../../ui/figures/moment.tsx';
import { ErrorStatusWord, LevelWord } from '../event/status-words.tsx';
import styles from './error-detail.module.css';
import { ExternalLink } from './external-link.tsx';
import detail from '../../../ui/layout/detail.module.css';

export interface ErrorFactsProps {
  readonly error: ErrorDetail;
  readonly onDelete: (() => void) | null;
}

/** Message, level, counts and actions of an error. */
export function ErrorFacts({ error, onDelete }: ErrorFactsProps) {
  return (
    <div className={detail['facts']}>
      {error.value === '' ? null : (
        <p className="breakable" dir="auto">
          {lineText(error.value, 600)}
        </p>
      )}
      <p className={styles['line']}>
        <LevelWord level={error.level} />
        <ErrorStatusWord error={error} />
        <bdi className="mono">{lineText(error.culprit)}</bdi>
      </p>
      <dl className={styles['figures']}>
        <div>
          <dt>Events</dt>
          <dd className="digits">{formatCount(error.events)}</dd>
        </div>
        <div>
          <dt>Users</dt>
          <dd className="digits">{formatCount(error.users)}</dd>
        </div>
        <Seen word="First seen" at={error.first_seen} release={error.first_release} />
        <Seen word="Last seen" at={error.last_seen} release={error.last_release} />
      </dl>
      <ErrorActions error={error} onDelete={onDelete} />
    </div>
  );
}

interface SeenProps {
  readonly word: string;
  readonly at: string;
  readonly release: string | null;
}

function Seen({ word, at, release }: SeenProps) {
  return (
    <div>
      <dt>{word}</dt>
      <dd>
        <Moment at={at} />
        {release === null ? null : (
          <bdi className={styles['release']} title={lineText(release)}>
            in {lineText(release, 40)}
          </bdi>
        )}
      </dd>
    </div>
  );
}

/** Offers only commands that the screen has registered, because not every user may change errors. */
function ErrorActions({ error, onDelete }: ErrorFactsProps) {
  const { commands } = useApp();
  const handlers = useStore(commands, (state) => state.handlers);
  const button = (id: CommandId, word: string, icon: React.ReactNode): React.ReactNode =>
    handlers.has(id) ? (
      <Button key={id} icon={icon} onClick={() => handlers.get(id)?.()}>
        {word}
      </Button>
    ) : null;
  return (
    <div className="row middle">
      {error.status === 'unresolved' ? (
        <>
          {button('resolve-error', 'Resolve', <CircleCheck aria-hidden />)}
          {button('ignore-error', 'Ignore', <EyeOff aria-hidden />)}
        </>
      ) : (
        button('reopen-error', 'Reopen', <RotateCcw aria-hidden />)
      )}
      {onDelete === null ? null : (
        <Button icon={<Trash2 aria-hidden />} onClick={onDelete}>
          Delete
        </Button>
      )}
      <ExternalLink url={error.external_url} />
    </div>
  );
}
