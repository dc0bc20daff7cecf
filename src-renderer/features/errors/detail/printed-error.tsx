import type { ErrorDetail, ErrorEvent, Project } from '../../../api/requests/types.ts';
import { Unfolded } from '../../../ui/hooks/printing.ts';
import { Breadcrumbs } from '../event/breadcrumbs.tsx';
import styles from './error-detail.module.css';
import { EventFacts } from './event-facts.tsx';
import { Overview } from './overview.tsx';
import { StackTab } from '../event/stack-tab.tsx';

export interface PrintedErrorProps {
  readonly project: Project;
  readonly error: ErrorDetail;
  readonly event: ErrorEvent;
  readonly address: string;
}

/** All that the tabs hold, one below the other and unfolded, for paper. */
export function PrintedError({ project, error, event, address }: PrintedErrorProps) {
  return (
    <Unfolded.Provider value>
      <div className={styles['printed']}>
        <p className="remark">
          {project.path} · {address}
        </p>
        <section>
          <h2>Stack</h2>
          <StackTab title={error.title} event={event} address={address} />
        </section>
        <section>
          <h2>Breadcrumbs</h2>
          <Breadcrumbs event={event} />
        </section>
        <section>
          <h2>Event</h2>
          <EventFacts event={event} />
        </section>
        <section>
          <h2>Overview</h2>
          <Overview project={project} error={error} onQuery={() => undefined} />
        </section>
      </div>
    </Unfolded.Provider>
  );
}
