import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight, Search } from 'lucide-react';
import { useState } from 'react';
import type { ErrorEventPage } from '../../../api/requests/types.ts';
import { useCommand } from '../../../context/context.ts';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { formatCount } from '../../../../src-shared/format/quantities.ts';
import { formatDuration } from '../../../../src-shared/format/times.ts';
import { Moment } from '../../../ui/figures/moment.tsx';
import styles from './error-detail.module.css';
import { readEventName } from '../search/errors-search.ts';
import { TextField } from '../../../ui/controls/text-field.tsx';

const lateFromMs = 10 * 60_000;

const walk = [
  { to: 'oldest', label: 'Oldest event', icon: <ChevronFirst /> },
  { to: 'older', label: 'Older event', icon: <ChevronLeft /> },
  { to: 'newer', label: 'Newer event', icon: <ChevronRight /> },
  { to: 'latest', label: 'Latest event', icon: <ChevronLast /> },
] as const;

/** How much later an event arrived than it happened, in words; null without a delay. */
function lateness({ occurred_at: occurred, received_at: received }: ErrorEventPage['event']): string | null {
  const lateMs = Date.parse(received) - Date.parse(occurred);
  return lateMs >= lateFromMs ? formatDuration(lateMs / 1000) : null;
}

/** Navigation between the events of an error: older, newer, the oldest, the latest, and by id. */
export function EventWalk({
  page,
  event,
  onEvent,
}: {
  readonly page: ErrorEventPage | null;
  readonly event: string;
  readonly onEvent: (event: string) => void;
}) {
  const [asking, setAsking] = useState(false);
  const previous = page?.previous ?? null;
  const next = page?.next ?? null;
  const lateBy = page === null ? null : lateness(page.event);
  const goTo = (name: string | null) => (name === null ? null : () => onEvent(name));
  const steps = {
    oldest: goTo(previous === null ? null : 'oldest'),
    older: goTo(previous),
    newer: goTo(next),
    latest: goTo(next === null && event === 'latest' ? null : 'latest'),
  };
  useCommand('oldest-event', steps.oldest);
  useCommand('older-event', steps.older);
  useCommand('newer-event', steps.newer);
  useCommand('latest-event', steps.latest);
  return (
    <nav className={styles['walk']} aria-label="Events">
      {walk.map(({ to, label, icon }) => (
        <IconButton key={to} label={label} icon={icon} disabled={steps[to] === null} onClick={steps[to] ?? undefined} />
      ))}
      {page === null ? null : (
        <span className={styles['which']} role="status">
          <span className="digits">
            {page.position === null || page.of === null
              ? 'Event'
              : `Event ${formatCount(page.position)} of ${formatCount(page.of)}`}
            {next !== null ? '' : lateBy === null ? ', the latest' : ', the last to arrive'}
          </span>
          <Moment at={page.event.occurred_at} />
          {lateBy === null ? null : <span>arrived {lateBy} later</span>}
        </span>
      )}
      <span className={styles['walkTools']}>
        {page === null ? null : <CopyButton text={page.event.event_id} label="Copy the event’s id" />}
        <IconButton label="Go to an event by its id" icon={<Search />} onClick={() => setAsking(true)} />
      </span>
      <AskForEvent
        open={asking}
        onClose={() => setAsking(false)}
        onEvent={(name) => {
          setAsking(false);
          onEvent(name);
        }}
      />
    </nav>
  );
}

function AskForEvent({
  open,
  onClose,
  onEvent,
}: {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onEvent: (event: string) => void;
}) {
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState(false);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      width="narrow"
      title="Go to an event"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form="go-to-event">
            Go
          </Button>
        </>
      }
    >
      <form
        id="go-to-event"
        onSubmit={(submitted) => {
          submitted.preventDefault();
          const name = readEventName(typed);
          setWrong(name === null);
          if (name !== null) onEvent(name);
        }}
      >
        <TextField
          label="Event id"
          hint="32 hexadecimal digits, with or without dashes"
          error={wrong ? 'This is not an event id. An event id has 32 hexadecimal digits.' : null}
          value={typed}
          spellCheck={false}
          maxLength={60}
          onChange={setTyped}
        />
      </form>
    </Dialog>
  );
}
