import { Download, Eye, Fingerprint, Link2, SquareTerminal, TriangleAlert } from 'lucide-react';
import type { FileStatus, MeasurementDetail } from '../../../api/requests/types.ts';
import { toApiError } from '../../../api/requests/problem.ts';
import { useApp, useUnits } from '../../../context/context.ts';
import { usePublicKeyPin, useReachable } from '../../../context/reachable.ts';
import { copyText } from '../../../ui/controls/clipboard.ts';
import { curlDownload } from '../../../../src-shared/format/commands.ts';
import { exactBytes, formatBytes } from '../../../../src-shared/format/quantities.ts';
import { type MenuEntry, MoreMenu } from '../../../ui/controls/menu.tsx';
import { fileStateWords } from './file-state-words.ts';
import fileRows from '../../../ui/styles/file-rows.module.css';
import { plainText } from '../../../../src-shared/format/shown-text.ts';
import styles from './files-tab.module.css';
import { KindIcon } from './kind-icon.tsx';
import { baseName, fileUrl } from './measurement-actions.ts';

export interface FileRowProps {
  readonly file: FileStatus | undefined;
  readonly measurement: MeasurementDetail;
  readonly top: number;
  readonly onLook: (file: number) => void;
  /**
   * Shows the problem in full below the path; the row is then as high as its text, which is
   * reported to `measure`.
   */
  readonly problem?: { readonly index: number; readonly measure: (row: HTMLElement | null) => void };
}

/** One file: its path, which opens its preview, its size, and a menu to copy its values. */
export function FileRow({ file, measurement, top, onLook, problem }: FileRowProps) {
  const { dragOut, toasts, desktop } = useApp();
  const units = useUnits();
  const reachable = useReachable();
  const pin = usePublicKeyPin();
  const tall = problem !== undefined;
  const place = { transform: `translateY(${top}px)`, ...(tall ? { minHeight: 52 } : { height: 36 }) };
  const measured = problem === undefined ? {} : { ref: problem.measure, 'data-index': problem.index };
  if (file === undefined) {
    return (
      <li {...measured} className={`${fileRows['row']} ${styles['row']}`} style={place}>
        <span className={styles['blank']} />
      </li>
    );
  }
  const copy = (what: string, text: string) => (): void => {
    const { show } = toasts.getState();
    copyText(text).then(
      () => show({ kind: 'plain', text: `${what} copied`, detail: file.path }),
      (error: unknown) => show({ kind: 'bad', text: `${what} was not copied`, detail: toApiError(error).detail }),
    );
  };
  const url = reachable(fileUrl(measurement, file.index));
  const entries: MenuEntry[] = [
    { kind: 'item', id: 'look', label: 'Look inside', icon: <Eye />, run: () => onLook(file.index) },
    ...(desktop === null
      ? [
          {
            kind: 'item' as const,
            id: 'download',
            label: 'Download',
            icon: <Download />,
            // The response is an attachment, so the page is not left.
            run: () =>
              window.location.assign(`/measurements/${encodeURIComponent(measurement.id)}/files/${file.index}`),
          },
        ]
      : []),
    { kind: 'item', id: 'url', label: 'Copy URL', icon: <Link2 />, run: copy('URL', url) },
    {
      kind: 'item',
      id: 'curl',
      label: 'Copy curl line',
      icon: <SquareTerminal />,
      run: copy('curl line', curlDownload(url, baseName(file.path), pin)),
    },
    { kind: 'item', id: 'sha256', label: 'Copy SHA-256', icon: <Fingerprint />, run: copy('SHA-256', file.sha256) },
  ];
  const slash = file.path.lastIndexOf('/') + 1;
  const bad = file.state !== 'ok';
  return (
    // Dragging out is for the pointer; with the keyboard a file is exported.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      {...measured}
      className={`${fileRows['row']} ${styles['row']} ${tall ? styles['tall'] : ''}`}
      style={place}
      draggable={dragOut.enabled}
      onPointerDown={(event) => {
        // A file of the library is copied for a drag, which a click must not start.
        if (event.button === 0 && measurement.storage === 'reference') dragOut.prepare(measurement.id, file.index);
      }}
      onDragStart={(event) => dragOut.start(event, measurement.id, file.index)}
    >
      {bad ? <TriangleAlert className={styles['alert']} aria-hidden /> : <KindIcon path={file.path} />}
      <div className="column">
        <button
          type="button"
          className={styles['path']}
          title={`${plainText(file.path)}\nSHA-256 ${file.sha256}`}
          data-file-index={file.index}
          onClick={() => onLook(file.index)}
        >
          <span className={styles['folder']}>{plainText(file.path.slice(0, slash))}</span>
          <span className={styles['file']}>{plainText(file.path.slice(slash))}</span>
        </button>
        {tall ? (
          <span className={styles['problem']}>
            {fileStateWords[file.state]}
            {file.problem === null ? '' : `: ${file.problem}`}
          </span>
        ) : null}
      </div>
      {bad && !tall ? <span className={styles['problem']}>{fileStateWords[file.state]}</span> : null}
      <span className={styles['size']} title={exactBytes(file.length)}>
        {formatBytes(file.length, units)}
      </span>
      <MoreMenu label={`Actions for ${file.path}`} entries={entries} />
    </li>
  );
}
