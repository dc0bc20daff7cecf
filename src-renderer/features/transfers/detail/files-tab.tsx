import { useQueries, useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, CircleDashed, CircleDotDashed, Grid2x2 } from 'lucide-react';
import { useState } from 'react';
import { fetchFilePageSize, type FetchFileFilter } from '../../../api/queries/fetch-queries.ts';
import type { Fetch, FetchFile } from '../../../api/requests/types.ts';
import { useApp, useUnits } from '../../../context/context.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { EmptyState } from '../../../ui/notes/empty-state.tsx';
import { exactBytes, formatBytes, formatCount } from '../../../../src-shared/format/quantities.ts';
import { NotLoaded } from '../../../ui/notes/not-loaded.tsx';
import { ScrollRegion } from '../../../ui/layout/scroll-region.tsx';
import { usePagesOnScreen } from '../../../ui/lists/rows-on-screen.ts';
import fileRows from '../../../ui/styles/file-rows.module.css';
import screen from '../../../ui/layout/screen.module.css';
import { plainText } from '../../../../src-shared/format/shown-text.ts';
import { FetchBar } from '../list/fetch-bar.tsx';
import styles from './transfer-detail.module.css';

const rowHeight = 44;
const filters: readonly { readonly filter: FetchFileFilter; readonly word: string }[] = [
  { filter: 'failed', word: 'Failed' },
  { filter: 'open', word: 'Open' },
  { filter: 'done', word: 'Done' },
  { filter: 'all', word: 'All' },
];

const signs = {
  waiting: { icon: CircleDashed, word: 'waiting', look: '' },
  partial: { icon: CircleDotDashed, word: 'partly fetched', look: '' },
  done: { icon: CircleCheck, word: 'verified', look: 'ok' },
  failed: { icon: CircleAlert, word: 'failed', look: 'bad' },
} as const;

/** The files of a transfer; failed ones first, because they are the reason to open it. */
export function FilesTab({ fetch, onPieces }: { readonly fetch: Fetch; readonly onPieces: (index: number) => void }) {
  const { queries } = useApp();
  const running = fetch.state === 'running';
  const failed = useQuery(queries.fetchFiles(fetch.id, 'failed', 0, running));
  const [chosen, setChosen] = useState<FetchFileFilter | null>(null);
  const filter = chosen ?? ((failed.data?.total ?? 0) > 0 ? 'failed' : 'all');
  const first = useQuery(queries.fetchFiles(fetch.id, filter, 0, running));
  const total = first.data?.total ?? 0;
  return (
    <>
      <div className={`${screen['choices']} ${screen['filter']}`} role="group" aria-label="Which files">
        {filters.map((one) => (
          <button
            key={one.filter}
            type="button"
            aria-pressed={one.filter === filter}
            onClick={() => setChosen(one.filter)}
          >
            {one.word}
            {one.filter === filter && first.data !== undefined
              ? ` ${formatCount(total)}`
              : one.filter === 'failed' && (failed.data?.total ?? 0) > 0
                ? ` ${formatCount(failed.data?.total ?? 0)}`
                : ''}
          </button>
        ))}
      </div>
      <NotLoaded of={first} className="padded" />
      {first.data === undefined ? null : total === 0 ? (
        <EmptyState
          title={
            fetch.files_total === null ? 'The list of files has not been read yet.' : 'No file matches the filters.'
          }
        />
      ) : (
        <FileRows key={filter} fetch={fetch} filter={filter} total={total} onPieces={onPieces} />
      )}
    </>
  );
}

interface FileRowsProps {
  readonly fetch: Fetch;
  readonly filter: FetchFileFilter;
  readonly total: number;
  readonly onPieces: (index: number) => void;
}

function FileRows({ fetch, filter, total, onPieces }: FileRowsProps) {
  const { queries } = useApp();
  const { scroller, rows, height, pages, itemAt } = usePagesOnScreen(total, rowHeight, fetchFilePageSize);
  const loaded = useQueries({
    queries: pages.map((page) => queries.fetchFiles(fetch.id, filter, page, fetch.state === 'running')),
  }).map(({ data }) => data?.items);
  return (
    <ScrollRegion ref={scroller} className={fileRows['scroller']} label="Files of the transfer">
      <ul className={fileRows['space']} style={{ height }}>
        {rows.map(({ index, start }) => {
          const file = itemAt(loaded, index);
          return file === undefined ? null : (
            <FileRow key={file.index} fetch={fetch} file={file} top={start} onPieces={onPieces} />
          );
        })}
      </ul>
    </ScrollRegion>
  );
}

interface FileRowProps {
  readonly fetch: Fetch;
  readonly file: FetchFile;
  readonly top: number;
  readonly onPieces: (index: number) => void;
}

function FileRow({ fetch, file, top, onPieces }: FileRowProps) {
  const { dragOut } = useApp().fetches;
  const units = useUnits();
  const id = String(fetch.id);
  // An unpacked archive no longer exists.
  const mayDrag = dragOut.enabled && file.state === 'done' && !fetch.unpack;
  const { icon: Icon, word, look } = signs[file.state];
  const share = file.length === null || file.length === 0 ? null : Math.min(1, file.bytes_done / file.length);
  const percent = share === null ? null : Math.min(99, Math.floor(share * 100));
  return (
    // Dragging out is for the pointer; with the keyboard the folder is opened.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      className={`${fileRows['row']} ${styles['file']}`}
      style={{ transform: `translateY(${top}px)`, height: rowHeight }}
      draggable={mayDrag}
      onPointerDown={(event) => {
        if (mayDrag && event.button === 0) dragOut.prepare(id, file.index);
      }}
      onDragStart={(event) => dragOut.start(event, id, file.index, file.path)}
    >
      <Icon aria-label={file.skipped ? 'already there and verified' : word} role="img" className={styles[look] ?? ''} />
      <div className={styles['names']}>
        <span className={styles['path']} title={plainText(file.path)}>
          <bdi>{plainText(file.path)}</bdi>
        </span>
        {file.message === null ? null : (
          <span className={styles['reason']} title={file.message}>
            {file.message}
          </span>
        )}
        {file.state === 'partial' ? (
          <FetchBar
            progress={{ fetched: share, verified: 0, percent, counts: 'fetched' }}
            label={`Progress of ${file.path}`}
            moving={false}
          />
        ) : null}
      </div>
      <span className={styles['size']} title={file.length === null ? '' : exactBytes(file.length)}>
        {file.state === 'partial' && percent !== null ? `${percent} % of ` : ''}
        {file.length === null ? '–' : formatBytes(file.length, units)}
      </span>
      {file.state === 'partial' || file.state === 'done' ? (
        <IconButton
          label={`Pieces of ${file.path}`}
          icon={<Grid2x2 aria-hidden />}
          onClick={() => onPieces(file.index)}
        />
      ) : null}
    </li>
  );
}
