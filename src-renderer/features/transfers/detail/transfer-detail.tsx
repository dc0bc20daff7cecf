import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FolderInput, FolderOpen, Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { Fetch } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Note } from '../../../ui/notes/note.tsx';
import { NotLoaded } from '../../../ui/notes/not-loaded.tsx';
import { TabView } from '../../../ui/layout/tab-view.tsx';
import { DetailHead } from '../../../ui/layout/detail-head.tsx';
import { MoreMenu } from '../../../ui/controls/menu.tsx';
import detail from '../../../ui/layout/detail.module.css';
import { actOn, moveTarget } from '../commands/act-on-fetches.ts';
import { FetchStatus } from '../list/fetch-status.tsx';
import { hasEnded, may, nameOf, remedyOf, remedyWords, statusOf, troubleOf } from '../../../words/fetch-words.ts';
import { FilesTab } from './files-tab.tsx';
import { newest } from '../../../context/live-fetches.ts';
import { LogTab } from './log-tab.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { PiecesTab } from './pieces-tab.tsx';
import type { RowVerb } from '../list/row-action.tsx';
import styles from './transfer-detail.module.css';
import { transferMenu } from '../commands/transfer-menu.tsx';
import { FetchProgress } from '../list/transfer-cells.tsx';

export interface TransferDetailProps {
  readonly id: number;
  readonly onClose: () => void;
  readonly onAct: (fetch: Fetch, verb: RowVerb) => void;
  readonly onRemedy: (fetch: Fetch) => void;
}

/** One transfer: its state, files, pieces and log. */
export function TransferDetail({ id, onClose, onAct, onRemedy }: TransferDetailProps) {
  const { queries, fetches } = useApp();
  const { data, error, dataUpdatedAt, refetch } = useQuery(queries.fetchOne(id));
  const live = useStore(fetches.live.store, (state) => state.byId.get(id));
  const fetch = data === undefined ? undefined : newest(data, dataUpdatedAt, live);
  return (
    <>
      <DetailHead
        title={fetch === undefined ? `Transfer ${id}` : nameOf(fetch)}
        className={styles['name']}
        onClose={onClose}
      />
      <NotLoaded of={{ data, error, refetch }} className={`${detail['facts']} ${styles['facts']}`} />
      {fetch === undefined ? null : <Detail fetch={fetch} onAct={onAct} onRemedy={onRemedy} />}
    </>
  );
}

function Detail({
  fetch,
  onAct,
  onRemedy,
}: { readonly fetch: Fetch } & Pick<TransferDetailProps, 'onAct' | 'onRemedy'>) {
  const app = useApp();
  const client = useQueryClient();
  const handlers = useStore(app.commands, (state) => state.handlers);
  const [tab, setTab] = useState<'overview' | 'files' | 'pieces' | 'log'>('overview');
  const [file, setFile] = useState<number | null>(null);
  const showPieces = (index: number): void => {
    setFile(index);
    setTab('pieces');
  };
  const trouble = troubleOf(fetch);
  const remedy = remedyOf(fetch);
  const { tone } = statusOf(fetch);
  return (
    <div className={detail['detail']}>
      <div className={`${detail['facts']} ${styles['facts']}`}>
        <p className={styles['line']}>
          <FetchStatus fetch={fetch} />
          <FetchProgress fetch={fetch} />
        </p>
        {trouble === null ? null : (
          <Note kind={tone === 'bad' ? 'bad' : 'warn'}>
            <p>{trouble}</p>
          </Note>
        )}
        <div className="row">
          {remedy === null ? null : (
            <Button look="primary" onClick={() => onRemedy(fetch)}>
              {remedyWords[remedy]}
            </Button>
          )}
          {remedy === 'keep-both' ? (
            <Button onClick={() => void actOn(app, client, hasEnded(fetch) ? 'retry' : 'resume', [fetch])}>
              {hasEnded(fetch) ? 'Try again' : 'Continue'}
            </Button>
          ) : null}
          {remedy === 'keep-both' && !hasEnded(fetch) ? (
            <Button icon={<FolderInput aria-hidden />} onClick={() => void moveTarget(app, client, fetch)}>
              Choose folder
            </Button>
          ) : null}
          {may.pause(fetch) ? (
            <Button icon={<Pause aria-hidden />} onClick={() => onAct(fetch, 'pause')}>
              Pause
            </Button>
          ) : null}
          {may.resume(fetch) && remedy === null ? (
            <Button icon={<Play aria-hidden />} onClick={() => onAct(fetch, 'resume')}>
              {fetch.state === 'waiting' ? 'Try now' : 'Resume'}
            </Button>
          ) : null}
          <Button icon={<FolderOpen aria-hidden />} onClick={() => onAct(fetch, 'show')}>
            Show in folder
          </Button>
          <MoreMenu entries={transferMenu(handlers, app.onMac, fetch.priority)} />
        </div>
      </div>
      <TabView
        value={tab}
        onChange={setTab}
        className={detail['tabs']}
        views={[
          { value: 'overview', word: 'Overview', content: <OverviewTab fetch={fetch} /> },
          { value: 'files', word: 'Files', content: <FilesTab fetch={fetch} onPieces={showPieces} /> },
          { value: 'pieces', word: 'Pieces', content: <PiecesTab fetch={fetch} file={file} onFile={setFile} /> },
          { value: 'log', word: 'Log', content: <LogTab fetch={fetch} /> },
        ]}
      />
    </div>
  );
}
