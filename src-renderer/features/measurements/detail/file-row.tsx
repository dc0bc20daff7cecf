import { TriangleAlert } from 'lucide-react';
import type { FileStatus, MeasurementDetail } from '../../../api/requests/types.ts';
import { useApp, useUnits } from '../../../context/context.ts';
import { exactBytes, formatBytes } from '../../../../src-shared/format/quantities.ts';
import { MoreMenu } from '../../../ui/controls/menu.tsx';
import { useFileMenu } from '../files/file-menu.tsx';
import { fileStateWords } from '../files/file-state-words.ts';
import { PathButton } from '../files/path-button.tsx';
import fileRows from '../../../ui/styles/file-rows.module.css';
import { plainText } from '../../../../src-shared/format/shown-text.ts';
import styles from './files-tab.module.css';

export interface FileRowProps {
  readonly file: FileStatus | undefined;
  readonly measurement: MeasurementDetail;
  readonly top: number;
  readonly onLook: (file: number) => void;
  /** The row is as high as the text of its problem, which is reported to `measure`. */
  readonly problem: { readonly index: number; readonly measure: (row: HTMLElement | null) => void };
}

/** A file with its problem in full below its path, which opens its preview. */
export function FileRow({ file, measurement, top, onLook, problem }: FileRowProps) {
  const { dragOut } = useApp();
  const menu = useFileMenu(measurement, onLook);
  const units = useUnits();
  const place = { transform: `translateY(${top}px)`, minHeight: 52 };
  const measured = { ref: problem.measure, 'data-index': problem.index };
  if (file === undefined) {
    return (
      <li {...measured} className={`${fileRows['row']} ${styles['row']}`} style={place}>
        <span className={styles['blank']} />
      </li>
    );
  }
  const slash = file.path.lastIndexOf('/') + 1;
  return (
    // Dragging out is for the pointer; with the keyboard a file is exported.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      {...measured}
      className={`${fileRows['row']} ${styles['row']} ${styles['tall']}`}
      style={place}
      draggable={dragOut.enabled}
      onPointerDown={(event) => {
        // A file of the library is copied for a drag, which a click must not start.
        if (event.button === 0 && measurement.storage === 'reference') dragOut.prepare(measurement.id, file.index);
      }}
      onDragStart={(event) => dragOut.start(event, measurement.id, file.index)}
    >
      <TriangleAlert className={styles['alert']} aria-hidden />
      <div className="column">
        <PathButton
          isWhole
          title={`${plainText(file.path)}\nSHA-256 ${file.sha256}`}
          folder={file.path.slice(0, slash)}
          name={file.path.slice(slash)}
          data-file-index={file.index}
          onClick={() => onLook(file.index)}
        />
        <span className={styles['problem']}>
          {fileStateWords[file.state]}
          {file.problem === null ? '' : `: ${file.problem}`}
        </span>
      </div>
      <span className={styles['size']} title={exactBytes(file.length)}>
        {formatBytes(file.length, units)}
      </span>
      <MoreMenu label={`Actions for ${file.path}`} entries={menu(file)} />
    </li>
  );
}
