import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useId, useState } from 'react';
import { toApiError } from '../../../api/requests/problem.ts';
import { remoteFilePageSize } from '../../../api/queries/server-queries.ts';
import type { RemoteFile } from '../../../api/requests/types.ts';
import { useApp, useToast, useUnits } from '../../../context/context.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { exactBytes, formatBytes, formatCount } from '../../../../src-shared/format/quantities.ts';
import { ProblemNote } from '../../../ui/notes/problem-note.tsx';
import { usePagesOnScreen } from '../../../ui/lists/rows-on-screen.ts';
import fileRows from '../../../ui/styles/file-rows.module.css';
import { plainText } from '../../../../src-shared/format/shown-text.ts';
import styles from './fetch-dialog.module.css';

const rowHeight = 30;
/** Number of files that one request for a fetch may name. */
const maxChosen = 100_000;

export interface ChosenFiles {
  readonly indices: ReadonlySet<number>;
  /** Total bytes of the files. */
  readonly bytes: number;
}

export interface ChooseFilesProps {
  readonly server: number;
  readonly measurement: string;
  readonly chosen: ChosenFiles;
  readonly onChange: (chosen: ChosenFiles) => void;
}

function withFiles({ indices, bytes }: ChosenFiles, files: readonly RemoteFile[], wanted: boolean): ChosenFiles {
  const next = new Set(indices);
  let sum = bytes;
  for (const { index, length, refusal } of files) {
    if (next.has(index) === wanted || (wanted && (refusal !== null || next.size >= maxChosen))) continue;
    if (wanted) next.add(index);
    else next.delete(index);
    sum += wanted ? length : -length;
  }
  return { indices: next, bytes: sum };
}

/** Files of a remote measurement, selected by search and individually. */
export function ChooseFiles({ server, measurement, chosen, onChange }: ChooseFilesProps) {
  const { queries } = useApp();
  const client = useQueryClient();
  const toast = useToast();
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim());
  const page = (number: number) => queries.remoteFiles(server, measurement, search, number);
  const first = useQuery(page(0));
  const total = first.data?.total ?? 0;
  const [busy, setBusy] = useState(false);
  const setAll = async (wanted: boolean): Promise<void> => {
    setBusy(true);
    try {
      let next = chosen;
      for (let number = 0; number * remoteFilePageSize < total; number += 1)
        next = withFiles(next, (await client.fetchQuery(page(number))).items, wanted);
      onChange(next);
    } catch (error) {
      toast({ kind: 'bad', text: 'The list of files could not be read completely', detail: toApiError(error).detail });
    }
    setBusy(false);
  };
  return (
    <div className={styles['choose']}>
      <div className={styles['tools']}>
        <input
          type="search"
          aria-label="Search files"
          placeholder="Search"
          spellCheck={false}
          maxLength={200}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button look="quiet" busy={busy} disabled={total === 0} onClick={() => void setAll(true)}>
          {search === '' ? 'All' : `All ${formatCount(total)} found`}
        </Button>
        <Button
          look="quiet"
          disabled={chosen.indices.size === 0 || busy}
          onClick={() => onChange({ indices: new Set(), bytes: 0 })}
        >
          None
        </Button>
      </div>
      {first.error === null || first.data !== undefined ? null : <ProblemNote error={first.error} />}
      {first.data === undefined ? null : total === 0 ? (
        <p className={styles['empty']}>{search === '' ? 'This measurement has no files.' : 'No file matches.'}</p>
      ) : (
        <Rows
          key={search}
          pageQuery={page}
          total={total}
          chosen={chosen}
          onSet={(file, wanted) => onChange(withFiles(chosen, [file], wanted))}
        />
      )}
    </div>
  );
}

interface RowsProps {
  readonly pageQuery: (number: number) => ReturnType<ReturnType<typeof useApp>['queries']['remoteFiles']>;
  readonly total: number;
  readonly chosen: ChosenFiles;
  readonly onSet: (file: RemoteFile, wanted: boolean) => void;
}

function Rows({ pageQuery, total, chosen, onSet }: RowsProps) {
  const units = useUnits();
  const id = useId();
  const { scroller, rows, height, pages, itemAt } = usePagesOnScreen(total, rowHeight, remoteFilePageSize);
  const loaded = useQueries({ queries: pages.map(pageQuery) }).map(({ data }) => data?.items);
  return (
    <div ref={scroller} className={styles['scroller']}>
      <ul className={fileRows['space']} style={{ height }} aria-label="Files to choose from">
        {rows.map(({ index, start }) => {
          const file = itemAt(loaded, index);
          if (file === undefined) return null;
          return (
            <li
              key={file.index}
              className={`${fileRows['row']} ${styles['file']}`}
              style={{ transform: `translateY(${start}px)` }}
            >
              <input
                type="checkbox"
                id={`${id}-${file.index}`}
                checked={chosen.indices.has(file.index)}
                disabled={file.refusal !== null}
                onChange={(event) => onSet(file, event.target.checked)}
              />
              <label
                htmlFor={`${id}-${file.index}`}
                title={file.refusal ?? plainText(file.path)}
                className={file.refusal === null ? '' : styles['refused']}
              >
                <bdi>{plainText(file.path)}</bdi>
                {file.refusal === null ? '' : `, ${file.refusal}`}
              </label>
              <span className={styles['size']} title={exactBytes(file.length)}>
                {formatBytes(file.length, units)}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
