import { useQueries } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { filePageSize } from '../../../api/queries/queries.ts';
import type { MeasurementDetail } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { EmptyState } from '../../../ui/notes/empty-state.tsx';
import { formatCount } from '../../../../src-shared/format/quantities.ts';
import { NotLoaded } from '../../../ui/notes/not-loaded.tsx';
import { FileRow } from './file-row.tsx';
import { FoundFiles } from './found-files.tsx';
import { usePagesOnScreen } from '../../../ui/lists/rows-on-screen.ts';
import field from '../../../ui/controls/field.module.css';
import fileRows from '../../../ui/styles/file-rows.module.css';
import screen from '../../../ui/layout/screen.module.css';
import styles from './files-tab.module.css';

export interface FilesTabProps {
  readonly measurement: MeasurementDetail;
  readonly problemsOnly: boolean;
  readonly onProblemsOnly: (only: boolean) => void;
  readonly onLook: (file: number) => void;
}

/**
 * The frozen list of files in natural order, filtered by a search or to files that are not as
 * registered.
 */
export function FilesTab({ measurement, problemsOnly, onProblemsOnly, onLook }: FilesTabProps) {
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim());
  const count = measurement.problem_count;
  const onlyProblems = problemsOnly && count > 0;
  const listed = measurement.state !== 'registering' && measurement.file_count > 0;
  return (
    <>
      {listed ? (
        <div className={`${screen['filter']} ${styles['tools']}`}>
          <input
            type="search"
            className={field['input']}
            aria-label="Search files"
            placeholder="Search files"
            spellCheck={false}
            maxLength={200}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          {count === 0 ? null : (
            <div className={screen['choices']} role="group" aria-label="Which files">
              <button type="button" aria-pressed={onlyProblems} onClick={() => onProblemsOnly(true)}>
                Problems {formatCount(count)}
              </button>
              <button type="button" aria-pressed={!onlyProblems} onClick={() => onProblemsOnly(false)}>
                All {formatCount(measurement.file_count)}
              </button>
            </div>
          )}
        </div>
      ) : null}
      {onlyProblems || search !== '' ? (
        <FoundFiles
          key={`${search} ${onlyProblems}`}
          measurement={measurement}
          search={search}
          problems={onlyProblems}
          onLook={onLook}
        />
      ) : (
        <AllFiles measurement={measurement} onLook={onLook} />
      )}
    </>
  );
}

function AllFiles({ measurement, onLook }: Pick<FilesTabProps, 'measurement' | 'onLook'>) {
  const { queries } = useApp();
  const registering = measurement.state === 'registering';
  const count = registering ? 0 : measurement.file_count;
  const { scroller, rows, height, pages, itemAt } = usePagesOnScreen(count, 36, filePageSize);
  const loading = useQueries({
    queries: (count === 0 ? [] : pages).map((page) => queries.files(measurement.id, page)),
  });
  const loaded = loading.map(({ data }) => data?.files);
  const failed = loading.find((page) => page.error !== null);

  if (registering)
    return (
      <EmptyState title="The files are being hashed.">The list is frozen and appears when that is done.</EmptyState>
    );
  if (measurement.file_count === 0) return <EmptyState title="This measurement has no files." />;
  return (
    <>
      {failed === undefined ? null : <NotLoaded of={failed} alsoStale className="padded" />}
      <div ref={scroller} className={fileRows['scroller']}>
        <ul className={fileRows['space']} style={{ height }} aria-label="Files">
          {rows.map(({ index, start }) => (
            <FileRow key={index} file={itemAt(loaded, index)} measurement={measurement} top={start} onLook={onLook} />
          ))}
        </ul>
      </div>
    </>
  );
}
