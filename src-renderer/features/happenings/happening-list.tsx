import { Link } from '@tanstack/react-router';
import { Bell } from 'lucide-react';
import { useSession } from '../../context/context.ts';
import { plainText } from '../../../src-shared/format/shown-text.ts';
import type { Happening } from '../../api/requests/types.ts';
import { Moment } from '../../ui/figures/moment.tsx';
import { EmptyState } from '../../ui/notes/empty-state.tsx';
import { kindWords } from '../../words/notification-words.ts';
import { placeOfHappening } from './happening-place.ts';
import styles from './happenings.module.css';

/** Happenings, newest first, each with a link to its screen. */
export function HappeningList({
  happenings,
  limit,
  onLeave,
}: {
  readonly happenings: readonly Happening[];
  /** With so many, older ones may be left out. */
  readonly limit: number;
  readonly onLeave: () => void;
}) {
  if (happenings.length === 0)
    return <EmptyState icon={<Bell aria-hidden />} title="Nothing has happened in the last thirty days." />;
  return (
    <>
      <ul className={styles['list']}>
        {happenings.map((one) => (
          <HappeningRow key={one.id} happening={one} onLeave={onLeave} />
        ))}
      </ul>
      {happenings.length < limit ? null : <p className={styles['more']}>Older ones are not shown.</p>}
    </>
  );
}

function HappeningRow({ happening, onLeave }: { readonly happening: Happening; readonly onLeave: () => void }) {
  const { kind, at, seen } = happening;
  const place = placeOfHappening(happening, useSession().door === 'window');
  const content = (
    <>
      <span className={styles['mark']} data-new={!seen}>
        {seen ? null : <span className="visually-hidden">New: </span>}
      </span>
      <span className={styles['what']}>
        <span className={styles['kind']}>{kindWords[kind].short}</span>
        <span className={styles['title']}>{titleOf(happening)}</span>
      </span>
      <span className={styles['when']}>
        <Moment at={at} />
      </span>
    </>
  );
  return (
    <li>
      {place === null ? (
        <div className={styles['row']}>{content}</div>
      ) : (
        <Link {...place} className={styles['row']} onClick={onLeave}>
          {content}
        </Link>
      )}
    </li>
  );
}

/** Titles come from strangers. */
function titleOf({ measurement_id: id, title, project_path: path }: Happening): string {
  const name = id === null || title === '' || title === id ? (id ?? title) : `${id}, ${title}`;
  return plainText(path === null ? name : `${name} · ${path}`);
}
