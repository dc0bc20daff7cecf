import { MeasurementButtons } from './measurement-buttons.tsx';
import { MeasurementFacts } from './measurement-facts.tsx';
import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { MeasurementDetail } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { countOf } from '../../../../src-shared/format/quantities.ts';
import { MoreMenu } from '../../../ui/controls/menu.tsx';
import { Note } from '../../../ui/notes/note.tsx';
import { NotLoaded } from '../../../ui/notes/not-loaded.tsx';
import { TabView } from '../../../ui/layout/tab-view.tsx';
import { DetailHead } from '../../../ui/layout/detail-head.tsx';
import detail from '../../../ui/layout/detail.module.css';
import { narrowQuery, useMedia } from '../../../ui/hooks/use-media.ts';
import { plainText } from '../../../../src-shared/format/shown-text.ts';
import { AccessTab } from './access-tab.tsx';
import { CopiesTab } from './copies-tab.tsx';
import { ErrorsTab } from './errors-tab.tsx';
import { FilesTab } from './files-tab.tsx';
import { RestoreButton } from './restore-button.tsx';
import { HistoryTab } from './history-tab.tsx';
import { FilePreview } from '../preview/file-preview.tsx';
import { atFile, useWalk, type WalkState } from '../files/walk.ts';
import { usePictures } from '../gallery/use-pictures.ts';
import { useFocusAfterPreview } from '../preview/use-focus-after-preview.ts';
import styles from './measurement-detail.module.css';
import { measurementMenu } from '../list/measurement-menu.tsx';

export interface MeasurementDetailProps {
  readonly id: string;
  /** Index of the file that is looked into. */
  readonly file: number | null;
  readonly onLook: (file: number | null) => void;
  readonly onClose: () => void;
  readonly onRename: () => void;
}

/** One measurement: its facts, files, grants, downloads, and the errors of the software that took it. */
export function MeasurementDetailPanel({ id, file, onLook, onClose, onRename }: MeasurementDetailProps) {
  const { queries, recent } = useApp();
  const { data, error, refetch } = useQuery(queries.measurement(id));
  const title = data?.title;
  useEffect(() => {
    if (title !== undefined) recent.getState().add({ kind: 'measurement', id, title });
  }, [recent, id, title]);
  useFocusAfterPreview(file);
  return (
    <>
      <div className={styles['behind']} inert={file !== null}>
        <DetailHead title={id} className={styles['id']} onClose={onClose}>
          <CopyButton text={id} label="Copy the id" />
        </DetailHead>
        <NotLoaded of={{ data, error, refetch }} className={detail['facts']} />
        {data === undefined ? null : <Detail measurement={data} file={file} onLook={onLook} onRename={onRename} />}
      </div>
      {file === null ? null : <FilePreview key={file} measurementId={id} index={file} onClose={() => onLook(null)} />}
    </>
  );
}

interface DetailProps {
  readonly measurement: MeasurementDetail;
  readonly file: number | null;
  readonly onLook: (file: number) => void;
  readonly onRename: () => void;
}

function Detail({ measurement, file, onLook, onRename }: DetailProps) {
  const app = useApp();
  const walk = useWalkTo(measurement, file);
  const pictures = usePictures(measurement);
  const handlers = useStore(app.commands, (state) => state.handlers);
  const narrow = useMedia(narrowQuery);
  const degraded = measurement.state === 'degraded' && measurement.problem_count > 0;
  const manages = measurement.may_manage;
  const [tab, setTab] = useState<'files' | 'access' | 'copies' | 'errors' | 'history'>('files');
  const [problemsOnly, setProblemsOnly] = useState(degraded);
  const rest = measurementMenu(handlers, app.onMac, 'rest');
  const more = rest.length === 0 ? null : <MoreMenu entries={rest} />;
  const showProblems = (): void => {
    setTab('files');
    setProblemsOnly(true);
  };

  return (
    <div className={detail['detail']}>
      <div className={detail['facts']}>
        <p className={styles['title']}>
          <span>{plainText(measurement.title)}</span>
          <span className={styles['titleActions']}>
            {manages ? <IconButton label="Rename" icon={<Pencil />} onClick={onRename} /> : null}
            {/* On a phone the row of actions has no room for it. */}
            {narrow ? more : null}
          </span>
        </p>
        <MeasurementFacts measurement={measurement} />
        {degraded ? (
          <Note kind="bad">
            <p>
              <strong>{countOf(measurement.problem_count, 'file')}</strong>{' '}
              {measurement.problem_count === 1 ? 'is' : 'are'} not as registered and refused to readers, and so is the
              ZIP that holds {measurement.problem_count === 1 ? 'it' : 'them'}. Restore the originals, then verify.
            </p>
            <p className="buttons">
              {tab === 'files' && problemsOnly ? null : <Button onClick={showProblems}>Show which</Button>}
              <RestoreButton measurement={measurement} />
            </p>
          </Note>
        ) : null}
        <MeasurementButtons measurement={measurement} degraded={degraded}>
          {narrow ? null : more}
        </MeasurementButtons>
      </div>
      <TabView
        value={tab}
        onChange={setTab}
        className={detail['tabs']}
        views={[
          {
            value: 'files',
            word: 'Files',
            content: (
              <FilesTab
                {...walk}
                measurement={measurement}
                pictures={pictures}
                isCovered={file !== null}
                problemsOnly={problemsOnly}
                onProblemsOnly={setProblemsOnly}
                onLook={onLook}
              />
            ),
          },
          manages ? { value: 'access', word: 'Access', content: <AccessTab measurement={measurement} /> } : null,
          { value: 'copies', word: 'Copies', content: <CopiesTab measurement={measurement} /> },
          { value: 'errors', word: 'Errors', content: <ErrorsTab measurement={measurement} /> },
          manages ? { value: 'history', word: 'History', content: <HistoryTab measurement={measurement} /> } : null,
        ]}
      />
    </div>
  );
}

/** The walk through the files, which follows the file that is looked into. */
function useWalkTo(measurement: MeasurementDetail, file: number | null): WalkState {
  const { queries } = useApp();
  const state = useWalk(measurement);
  const { change } = state;
  const found = useQuery({ ...queries.file(measurement.id, file ?? 0), enabled: file !== null });
  const open = file === null ? undefined : found.data?.files[0];
  useEffect(() => {
    if (open !== undefined && open.index === file) change((walk) => atFile(walk, open));
  }, [open, file, change]);
  return state;
}
