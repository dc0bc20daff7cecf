import { Tabs } from '@base-ui/react/tabs';
import { useState } from 'react';
import type { ErrorDetail, ErrorEvent, Project } from '../../../api/requests/types.ts';
import { formatCount } from '../../../../src-shared/format/quantities.ts';
import tabs from '../../../ui/layout/tabs.module.css';
import { Breadcrumbs } from '../event/breadcrumbs.tsx';
import { StackTab } from '../event/stack-tab.tsx';
import styles from './error-detail.module.css';
import { EventFacts } from './event-facts.tsx';
import { Overview } from './overview.tsx';
import { RawEvent } from './raw-event.tsx';

export interface EventTabsProps {
  readonly project: Project;
  readonly error: ErrorDetail;
  /** Undefined until an event is loaded. */
  readonly shown: ErrorEvent | undefined;
  /** True while the previous event is shown in place of the one being loaded. */
  readonly busy: boolean;
  readonly address: string;
  /** True where overview and breadcrumbs have their own column. */
  readonly twoColumns: boolean;
  readonly onQuery: (query: string) => void;
}

/** One event of an error, in tabs. */
export function EventTabs({ project, error, shown, busy, address, twoColumns, onQuery }: EventTabsProps) {
  const [chosen, setTab] = useState('stack');
  const tab = twoColumns && (chosen === 'overview' || chosen === 'breadcrumbs') ? 'stack' : chosen;
  return (
    <Tabs.Root value={tab} onValueChange={(value) => setTab(String(value))} className={styles['tabs']}>
      <Tabs.List className={`${tabs['list']} ${styles['tabList']}`} activateOnFocus>
        <Tab value="stack" word="Stack" />
        {twoColumns ? null : <Tab value="breadcrumbs" word="Breadcrumbs" count={shown?.breadcrumbs.length} />}
        <Tab value="event" word="Event" />
        {twoColumns ? null : <Tab value="overview" word="Overview" />}
        <Tab value="raw" word="Raw" />
      </Tabs.List>
      <div aria-busy={busy}>
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
          {shown === undefined ? null : <RawEvent projectId={project.id} errorId={error.id} eventId={shown.event_id} />}
        </Tabs.Panel>
      </div>
    </Tabs.Root>
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
