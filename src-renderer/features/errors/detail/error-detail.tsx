import { Tabs } from '@base-ui/react/tabs';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, CircleCheck, EyeOff, Maximize2, Minimize2, RotateCcw, Trash2, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { ErrorDetail, ErrorEventPage, Project } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import type { CommandId } from '../../../context/command-catalogue.ts';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { formatCount } from '../../../../src-shared/format/quantities.ts';
import { Moment } from '../../../ui/figures/moment.tsx';
import { Note } from '../../../ui/notes/note.tsx';
import { NotLoaded } from '../../../ui/notes/not-loaded.tsx';
import { ProblemNote } from '../../../ui/notes/problem-note.tsx';
import tabs from '../../../ui/layout/tabs.module.css';
import { usePrinting } from '../../../ui/hooks/printing.ts';
import { narrowQuery, useMedia } from '../../../ui/hooks/use-media.ts';
import { Breadcrumbs } from '../event/breadcrumbs.tsx';
import styles from './error-detail.module.css';
import { eventLink } from '../search/errors-search.ts';
import { EventFacts } from './event-facts.tsx';
import { EventWalk } from './event-walk.tsx';
import { ExternalLink } from './external-link.tsx';
import { Overview } from './overview.tsx';
import { PrintedError } from './printed-error.tsx';
import { RawEvent } from './raw-event.tsx';
import { lineText } from '../../../../src-shared/format/shown-text.ts';
import { StackTab } from '../event/stack-tab.tsx';
import { ErrorStatusWord, LevelWord } from '../event/status-words.tsx';

export interface ErrorDetailProps {
  readonly project: Project;
  readonly errorId: string;
  /** `latest`, `oldest` or an event's id. */
  readonly event: string;
  readonly wide: boolean;
  readonly onEvent: (event: string) => void;
  readonly onWide: (wide: boolean) => void;
  readonly onQuery: (query: string) => void;
  readonly onClose: () => void;
  readonly onDelete: (() => void) | null;
}

/** One error: how often, since when, where; and its events one by one. */
export function ErrorDetailPanel(props: ErrorDetailProps) {
  const { project, errorId, event, wide, onWide, onClose } = props;
  const { queries } = useApp();
  const narrow = useMedia(narrowQuery);
  const { data, error, refetch } = useQuery(queries.error(project.id, errorId));
  const page = useQuery(queries.errorEvent(project.id, errorId, event));
  const title = data === undefined ? null : lineText(data.title, 120);
  useEffect(() => {
    const before = document.title;
    if (title !== null) document.title = `${title} · Errors · Benchport`;
    return () => {
      document.title = before;
    };
  }, [title]);
  const address = new URL(`/ui/projects/${encodeURIComponent(project.path)}/errors/${errorId}`, window.location.href)
    .href;
  const service = useQuery(queries.service());
  const shared =
    service.data === undefined
      ? address
      : address.replace(window.location.origin, service.data.shared_url ?? service.data.base_url.replace(/\/$/, ''));
  return (
    <>
      {/* The list with its heading is out of reach then. */}
      {wide && !narrow ? <h1 className="visually-hidden">Errors</h1> : null}
      <header className={styles['head']}>
        {narrow ? <IconButton label="Back to the list" icon={<ArrowLeft />} onClick={onClose} /> : null}
        <h2 className={styles['type']} title={lineText(data?.title ?? '', 1000)}>
          <bdi>
            {data === undefined
              ? `Error ${lineText(errorId, 30)}`
              : lineText(data.type === '' ? data.title : data.type)}
          </bdi>
        </h2>
        <span className={styles['headTools']}>
          <CopyLink address={shared} event={event === 'latest' ? null : event} />
          {narrow ? null : (
            <>
              <IconButton
                label={wide ? 'Show the list beside it' : 'Use the whole width'}
                icon={wide ? <Minimize2 /> : <Maximize2 />}
                onClick={() => onWide(!wide)}
              />
              <IconButton label="Close the error" icon={<X />} onClick={onClose} />
            </>
          )}
        </span>
      </header>
      <NotLoaded
        error={data === undefined ? error : null}
        waits={data === undefined}
        onAgain={refetch}
        className={styles['note']}
      />
      {data === undefined ? null : <Detail {...props} error={data} page={page} address={shared} />}
    </>
  );
}

function CopyLink({ address, event }: { readonly address: string; readonly event: string | null }) {
  return <CopyButton text={event === null ? address : eventLink(address, event)} label="Copy the link" />;
}

interface EventQuery {
  readonly data: ErrorEventPage | undefined;
  readonly error: unknown;
  readonly isPlaceholderData: boolean;
}

/** Room for stack and figures side by side. */
const twoColumnsQuery = '(width >= 1200px)';

function Detail({
  project,
  wide,
  error,
  event,
  page,
  address,
  onEvent,
  onQuery,
  onDelete,
}: ErrorDetailProps & { readonly error: ErrorDetail; readonly page: EventQuery; readonly address: string }) {
  const { commands } = useApp();
  const handlers = useStore(commands, (state) => state.handlers);
  const roomy = useMedia(twoColumnsQuery);
  const twoColumns = wide && roomy;
  const printing = usePrinting();
  const [chosen, setTab] = useState('stack');
  const tab = twoColumns && (chosen === 'overview' || chosen === 'breadcrumbs') ? 'stack' : chosen;
  const shown = page.data?.event;
  const button = (id: CommandId, word: string, icon: React.ReactNode): React.ReactNode =>
    handlers.has(id) ? (
      <Button key={id} icon={icon} onClick={() => handlers.get(id)?.()}>
        {word}
      </Button>
    ) : null;
  return (
    <div
      className={`${styles['detail']} ${twoColumns ? styles['columns'] : ''}`}
      role="group"
      aria-label="The error"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A scrolling region must be reachable by keyboard.
      tabIndex={0}
    >
      <div className={styles['facts']}>
        {error.value === '' ? null : (
          <p className={styles['value']} dir="auto">
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
          <div>
            <dt>First seen</dt>
            <dd>
              <Moment at={error.first_seen} />
              {error.first_release === null ? null : (
                <bdi className={styles['release']} title={lineText(error.first_release)}>
                  in {lineText(error.first_release, 40)}
                </bdi>
              )}
            </dd>
          </div>
          <div>
            <dt>Last seen</dt>
            <dd>
              <Moment at={error.last_seen} />
              {error.last_release === null ? null : (
                <bdi className={styles['release']} title={lineText(error.last_release)}>
                  in {lineText(error.last_release, 40)}
                </bdi>
              )}
            </dd>
          </div>
        </dl>
        <div className={styles['actions']}>
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
      </div>
      {twoColumns ? (
        <div className={styles['side']} role="group" aria-label="Overview">
          <Overview project={project} error={error} onQuery={onQuery} />
        </div>
      ) : null}
      <EventWalk page={page.data ?? null} event={event} onEvent={onEvent} />
      {page.error === null ? null : (
        <div className={styles['note']}>
          <ProblemNote
            error={page.error}
            action={
              event === 'latest' ? undefined : <Button onClick={() => onEvent('latest')}>Show the latest event</Button>
            }
          />
        </div>
      )}
      {shown?.shortened === true ? (
        <div className={styles['note']}>
          <Note kind="info">Parts of this event were cut because they exceed the limits.</Note>
        </div>
      ) : null}
      <Tabs.Root value={tab} onValueChange={(value) => setTab(String(value))} className={styles['tabs']}>
        <Tabs.List className={`${tabs['list']} ${styles['tabList']}`} activateOnFocus>
          <Tab value="stack" word="Stack" />
          {twoColumns ? null : <Tab value="breadcrumbs" word="Breadcrumbs" count={shown?.breadcrumbs.length} />}
          <Tab value="event" word="Event" />
          {twoColumns ? null : <Tab value="overview" word="Overview" />}
          <Tab value="raw" word="Raw" />
        </Tabs.List>
        <div aria-busy={page.isPlaceholderData}>
          <Tabs.Panel value="stack" className={styles['panel']} tabIndex={-1}>
            {shown === undefined ? null : (
              <StackTab key={shown.event_id} title={error.title} event={shown} address={address} />
            )}
            {twoColumns && shown !== undefined ? (
              <section className={styles['below']}>
                <h3>Breadcrumbs</h3>
                <Breadcrumbs event={shown} />
              </section>
            ) : null}
          </Tabs.Panel>
          <Tabs.Panel value="breadcrumbs" className={styles['panel']} tabIndex={-1}>
            {shown === undefined ? null : <Breadcrumbs event={shown} />}
          </Tabs.Panel>
          <Tabs.Panel value="event" className={styles['panel']} tabIndex={-1}>
            {shown === undefined ? null : <EventFacts event={shown} />}
          </Tabs.Panel>
          <Tabs.Panel value="overview" className={styles['panel']} tabIndex={-1}>
            <Overview project={project} error={error} onQuery={onQuery} />
          </Tabs.Panel>
          <Tabs.Panel value="raw" className={styles['panel']} tabIndex={-1}>
            {shown === undefined ? null : (
              <RawEvent projectId={project.id} errorId={error.id} eventId={shown.event_id} />
            )}
          </Tabs.Panel>
        </div>
      </Tabs.Root>
      {printing && shown !== undefined ? (
        <PrintedError project={project} error={error} event={shown} address={address} />
      ) : null}
    </div>
  );
}

function Tab({
  value,
  word,
  count,
}: {
  readonly value: string;
  readonly word: string;
  readonly count?: number | undefined;
}) {
  return (
    <Tabs.Tab value={value} className={tabs['tab']}>
      {word}
      {count === undefined || count === 0 ? null : <span className={styles['count']}>{formatCount(count)}</span>}
    </Tabs.Tab>
  );
}
