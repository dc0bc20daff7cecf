import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AnnouncedRelease, Project } from '../../api/requests/types.ts';
import { formatCount } from '../../../src-shared/format/quantities.ts';
import { lineText } from '../../../src-shared/format/shown-text.ts';
import { Moment } from '../../ui/figures/moment.tsx';
import { PlainTable } from '../../ui/lists/plain-table.tsx';
import { TimeCell } from '../../ui/lists/time-cell.tsx';
import table from '../../ui/lists/table.module.css';
import styles from './release-table.module.css';

/** Releases with their times and environments. */
export function ReleaseTable({
  project,
  releases,
}: {
  readonly project: Project;
  readonly releases: readonly AnnouncedRelease[];
}) {
  return (
    <PlainTable
      label="Releases"
      columns={['Version', 'Announced', 'Released', 'Deploys', { words: 'Source maps', className: table['numeric'] }]}
      className={styles['releases']}
    >
      {releases.map((release) => (
        <tr key={release.version}>
          <th scope="row" className={table['name']}>
            <Version project={project} release={release} />
          </th>
          <TimeCell label="Announced" at={release.announced_at} />
          <TimeCell label="Released" at={release.released_at} none="not yet" />
          <td data-label="Deploys" className={styles['deploys']}>
            <Deploys release={release} />
          </td>
          <td data-label="Source maps" className={table['numeric']}>
            {formatCount(release.source_maps)}
          </td>
        </tr>
      ))}
    </PlainTable>
  );
}

/** Leads to the errors of the release; a quote cannot be written into the search for them. */
function Version({
  project,
  release: { version, url, archived },
}: {
  readonly project: Project;
  readonly release: AnnouncedRelease;
}) {
  const text = <bdi className="mono">{lineText(version, 250)}</bdi>;
  return (
    <span>
      {version.includes('"') ? (
        text
      ) : (
        <Link to="/projects/$path/errors" params={{ path: project.path }} search={{ query: `release:"${version}"` }}>
          {text}
        </Link>
      )}
      {isWebAddress(url) ? (
        <>
          {' '}
          <WebLink url={url}>page</WebLink>
        </>
      ) : null}
      {archived ? <span className={table['description']}>archived</span> : null}
    </span>
  );
}

function Deploys({ release: { deploys, deploy_count: count } }: { readonly release: AnnouncedRelease }) {
  if (count === 0) return 'none';
  return (
    <ul className={styles['list']}>
      {deploys.map(({ environment, name, url, finished_at }, position) => (
        // oxlint-disable-next-line react/no-array-index-key -- A deploy has no name of its own.
        <li key={position}>
          <WebLink url={url}>
            <bdi>{lineText(environment, 64)}</bdi>
          </WebLink>
          {name === null ? null : (
            <>
              {' '}
              <bdi>{lineText(name, 64)}</bdi>
            </>
          )}{' '}
          <span className="muted">
            <Moment at={finished_at} />
          </span>
        </li>
      ))}
      {count > deploys.length ? <li className="muted">and {formatCount(count - deploys.length)} earlier</li> : null}
    </ul>
  );
}

function isWebAddress(url: string | null): url is string {
  return url !== null && /^https?:\/\//i.test(url);
}

/** A link to a web address; other schemes could start a program, and are left out. */
function WebLink({ url, children }: { readonly url: string | null; readonly children: ReactNode }) {
  if (!isWebAddress(url)) return children;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" title={lineText(url, 300)}>
      {children}
    </a>
  );
}
