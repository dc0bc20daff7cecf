import { ArrowLeft, Download } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { FileStatus } from '../../../api/requests/types.ts';
import { useApp, useUnits } from '../../../context/context.ts';
import type { ViewKind } from '../../../preview/messages/content.ts';
import type { Failure } from '../../../preview/messages/messages.ts';
import { BytesView } from '../../../preview/views/bytes-view.tsx';
import { DrawingView } from '../../../preview/views/drawing-view.tsx';
import { PictureView } from '../../../preview/views/picture-view.tsx';
import { PlotView } from '../../../preview/views/plot-view.tsx';
import type { ViewProps, ViewSource } from '../../../preview/views/source.ts';
import { TableView } from '../../../preview/views/table-view.tsx';
import { TextView } from '../../../preview/views/text-view.tsx';
import { TilesView } from '../../../preview/views/tiles/tiles-view.tsx';
import { TreeView } from '../../../preview/views/tree-view.tsx';
import { formatBytes } from '../../../../src-shared/format/quantities.ts';
import { plainText } from '../../../../src-shared/format/shown-text.ts';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import detail from '../../../ui/layout/detail.module.css';
import screen from '../../../ui/layout/screen.module.css';
import { Note } from '../../../ui/notes/note.tsx';
import { ProgressBar } from '../../../ui/notes/progress-bar.tsx';
import styles from './preview-panel.module.css';
import { usePreview } from './use-preview.ts';

export interface PreviewPanelProps {
  readonly measurementId: string;
  readonly file: Pick<FileStatus, 'index' | 'path' | 'length'>;
  readonly onClose: () => void;
}

const viewWords: Readonly<Record<ViewKind, string>> = {
  table: 'Table',
  plot: 'Plot',
  picture: 'Picture',
  drawing: 'Picture',
  tiles: 'Picture',
  tree: 'Contents',
  text: 'Text',
  bytes: 'Bytes',
};

const views: Readonly<Record<ViewKind, (props: ViewProps) => React.ReactNode>> = {
  table: TableView,
  plot: PlotView,
  picture: PictureView,
  drawing: DrawingView,
  tiles: TilesView,
  tree: TreeView,
  text: TextView,
  bytes: BytesView,
};

/** A file of a measurement, looked into without fetching all of it. */
export function PreviewPanel({ measurementId, file, onClose }: PreviewPanelProps) {
  const { desktop } = useApp();
  const [attempt, setAttempt] = useState({ number: 0, onlyBytes: false });
  const url = `/measurements/${encodeURIComponent(measurementId)}/files/${file.index}`;
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => back.current?.focus({ preventScroll: true }), []);
  const name = plainText(file.path.slice(file.path.lastIndexOf('/') + 1));
  return (
    <section aria-label={`Preview of ${name}`} className={styles['panel']}>
      <header className={detail['head']}>
        <IconButton ref={back} label="Back to the measurement" icon={<ArrowLeft />} onClick={onClose} />
        <h2 className={detail['title']} title={plainText(file.path)}>
          {name}
        </h2>
        {desktop === null ? (
          // The response is an attachment, so the page is not left.
          <IconButton label="Download the file" icon={<Download />} onClick={() => window.location.assign(url)} />
        ) : null}
      </header>
      <Attempt
        key={attempt.number}
        url={url}
        file={file}
        onlyBytes={attempt.onlyBytes}
        onClose={onClose}
        onAgain={(onlyBytes) => setAttempt({ number: attempt.number + 1, onlyBytes })}
      />
    </section>
  );
}

interface AttemptProps extends Pick<PreviewPanelProps, 'file' | 'onClose'> {
  readonly url: string;
  readonly onlyBytes: boolean;
  readonly onAgain: (onlyBytes: boolean) => void;
}

function Attempt({ url, file, onlyBytes, onClose, onAgain }: AttemptProps) {
  const units = useUnits();
  const { path, length } = file;
  const target = useMemo(() => ({ url, name: path, length, onlyBytes }), [url, path, length, onlyBytes]);
  const { state, progress } = usePreview(target);
  return (
    <>
      <div className={styles['body']}>
        {state.kind === 'opening' ? (
          <div className={styles['opening']}>
            <ProgressBar fraction={null} label="Opening the file" />
            <p className="row middle">
              <span role="status">Looking into the file</span>
              <Button onClick={onClose}>Cancel</Button>
            </p>
          </div>
        ) : null}
        {state.kind === 'failed' ? (
          <Failed
            failure={state.failure}
            onRetry={() => onAgain(onlyBytes)}
            onBytes={onlyBytes ? null : () => onAgain(true)}
          />
        ) : null}
        {state.kind === 'open' ? <Opened source={state.source} /> : null}
      </div>
      <footer className={styles['foot']}>
        Preview read {formatBytes(Math.min(progress.bytesRead, length), units)} of {formatBytes(length, units)}
      </footer>
    </>
  );
}

function Opened({ source }: { readonly source: ViewSource }) {
  const { content } = source;
  const [chosen, setChosen] = useState<ViewKind>(content.views[0] ?? 'bytes');
  const View = views[chosen];
  return (
    <>
      <div className={styles['views']}>
        <span className="muted">{content.format}</span>
        {content.views.length < 2 ? null : (
          <div className={screen['choices']} role="group" aria-label="Show as">
            {content.views.map((view) => (
              <button key={view} type="button" aria-pressed={view === chosen} onClick={() => setChosen(view)}>
                {viewWords[view]}
              </button>
            ))}
          </div>
        )}
      </div>
      {content.notes.map((note) => (
        <p key={note} className={styles['note']}>
          {note}
        </p>
      ))}
      <View source={source} />
    </>
  );
}

const failureHeads: Readonly<Record<Failure['reason'], string>> = {
  malformed: 'This file is not what it says it is.',
  limit: 'This is more than a preview shows.',
  changed: 'The file has changed.',
  refused: 'The file is not given out.',
  network: 'The file cannot be read now.',
  broken: 'The file cannot be shown.',
};

function Failed({
  failure,
  onRetry,
  onBytes,
}: {
  readonly failure: Failure;
  readonly onRetry: () => void;
  readonly onBytes: (() => void) | null;
}) {
  const canShowBytes = ['malformed', 'limit', 'broken'].includes(failure.reason);
  return (
    <div className="padded">
      <Note kind={failure.reason === 'network' || failure.reason === 'limit' ? 'warn' : 'bad'}>
        <p>
          <strong>{failureHeads[failure.reason]}</strong>
        </p>
        <p>{plainText(failure.detail)}</p>
        <p className="buttons">
          <Button onClick={onRetry}>Try again</Button>
          {canShowBytes && onBytes !== null ? <Button onClick={onBytes}>Show its bytes</Button> : null}
        </p>
      </Note>
    </div>
  );
}
