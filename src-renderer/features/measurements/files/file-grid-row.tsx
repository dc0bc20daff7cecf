import { ChevronDown, ChevronRight, Ellipsis, Folder, FolderOpen, TriangleAlert } from 'lucide-react';
import type { MouseEvent } from 'react';
import type { FileStatus, MeasurementDetail } from '../../../api/requests/types.ts';
import { useApp, useUnits } from '../../../context/context.ts';
import { countOf, exactBytes, formatBytes, type SizeUnits } from '../../../../src-shared/format/quantities.ts';
import { plainText } from '../../../../src-shared/format/shown-text.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { Menu, type MenuEntry } from '../../../ui/controls/menu.tsx';
import list from '../../../ui/lists/virtual-list.module.css';
import { baseName } from './file-address.ts';
import styles from './file-grid.module.css';
import { fileStateWords } from './file-state-words.ts';
import { KindIcon } from './kind-icon.tsx';
import { PathButton } from './path-button.tsx';
import type { FileTreeRow, FolderTreeRow, TreeRow } from './tree.ts';

/** Deeper levels are not indented further, so that names stay readable. */
const maxIndent = 12;

export interface FileGridRowProps {
  readonly row: TreeRow;
  readonly index: number;
  readonly top: number;
  readonly height: number;
  readonly flat: boolean;
  readonly measurement: MeasurementDetail;
  readonly active: boolean;
  /** Null where nothing can be chosen. */
  readonly chosen: 'all' | 'some' | 'none' | null;
  readonly onClick: (event: MouseEvent, how: 'open' | 'choose') => void;
  readonly menu: (file: FileStatus) => readonly MenuEntry[];
}

/** One row of a tree of files; the grid has the focus and handles the keys. */
export function FileGridRow(props: FileGridRowProps) {
  const { row, index, top, height, flat, active, chosen, measurement } = props;
  const units = useUnits();
  const { dragOut } = useApp();
  const drag = row.kind === 'file' && dragOut.enabled ? row.file.index : null;
  return (
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      role="row"
      id={`files-row-${index}`}
      aria-label={wordsOf(row, flat, units)}
      aria-rowindex={index + 1}
      aria-level={row.level}
      aria-expanded={row.kind === 'folder' ? row.unfolded : undefined}
      aria-selected={chosen === null ? undefined : chosen === 'all'}
      className={`${list['row']} ${styles['row']} ${chosen === 'all' ? list['selected'] : ''} ${active ? list['active'] : ''}`}
      style={{ transform: `translateY(${top}px)`, height }}
      draggable={drag !== null}
      onPointerDown={(event) => {
        // A file of the library is copied for a drag, which a click must not start.
        if (drag !== null && event.button === 0 && measurement.storage === 'reference')
          dragOut.prepare(measurement.id, drag);
      }}
      onDragStart={(event) => {
        if (drag !== null) dragOut.start(event, measurement.id, drag);
      }}
      onClick={row.kind === 'more' ? undefined : (event) => props.onClick(event, 'open')}
    >
      {chosen === null ? null : (
        <ChooseCell
          label={plainText(nameOf(row, flat))}
          chosen={chosen}
          onChoose={(event) => props.onClick(event, 'choose')}
        />
      )}
      {row.kind === 'more' ? (
        <span role="gridcell" aria-label="Not loaded yet" className={styles['name']} style={indent(row.level)}>
          <span className={list['blank']} />
        </span>
      ) : row.kind === 'folder' ? (
        <FolderCells row={row} units={units} />
      ) : (
        <FileCells {...{ row, units, flat, active }} menu={props.menu} />
      )}
    </div>
  );
}

interface ChooseCellProps {
  readonly label: string;
  readonly chosen: 'all' | 'some' | 'none';
  readonly onChoose: (event: MouseEvent) => void;
}

function ChooseCell({ label, chosen, onChoose }: ChooseCellProps) {
  return (
    // Its keys are those of the grid.
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <span role="gridcell" className={styles['choose']} onClick={(event) => event.stopPropagation()}>
      <input
        type="checkbox"
        tabIndex={-1}
        aria-label={`Choose ${label}`}
        checked={chosen === 'all'}
        ref={(box) => {
          if (box !== null) box.indeterminate = chosen === 'some';
        }}
        onChange={() => undefined}
        onClick={onChoose}
      />
    </span>
  );
}

function indent(level: number): { paddingLeft: number } {
  return { paddingLeft: Math.min(level - 1, maxIndent) * 16 };
}

/** The row in words, for screen readers. */
function wordsOf(row: TreeRow, flat: boolean, units: SizeUnits): string {
  const name = plainText(nameOf(row, flat));
  if (row.kind === 'more') return 'Not loaded yet';
  if (row.kind === 'file') {
    const { state, length } = row.file;
    return [name, ...(state === 'ok' ? [] : [fileStateWords[state]]), formatBytes(length, units)].join(', ');
  }
  const { first, last, bytes, problem_count: problems } = row.summary;
  const files = countOf(last - first + 1, 'file');
  return [
    plainText(row.name),
    ...(problems === 0 ? [] : [countOf(problems, 'problem')]),
    files,
    formatBytes(bytes, units),
  ].join(', ');
}

function nameOf(row: TreeRow, flat: boolean): string {
  if (row.kind === 'more') return '';
  return row.kind === 'folder' ? row.path : flat ? row.file.path : row.name;
}

function FolderCells({ row, units }: { readonly row: FolderTreeRow; readonly units: SizeUnits }) {
  const { summary, unfolded } = row;
  const Sign = unfolded ? FolderOpen : Folder;
  const Twist = unfolded ? ChevronDown : ChevronRight;
  const problems = summary.problem_count;
  return (
    <>
      <span role="gridcell" className={styles['name']} style={indent(row.level)}>
        <Twist className={styles['twist']} aria-hidden />
        <Sign className={styles['sign']} aria-hidden />
        <PathButton tabIndex={-1} title={plainText(row.path)} folder="" name={row.name} />
        {problems === 0 ? null : (
          <span className={styles['problem']}>
            <TriangleAlert aria-hidden />
            {countOf(problems, 'problem')}
          </span>
        )}
      </span>
      <span role="gridcell" className={styles['count']}>
        {countOf(summary.last - summary.first + 1, 'file')}
      </span>
      <span role="gridcell" className={styles['size']} title={exactBytes(summary.bytes)}>
        {formatBytes(summary.bytes, units)}
      </span>
      <span role="gridcell" aria-label="No actions" className={styles['menu']} />
    </>
  );
}

interface FileCellsProps extends Pick<FileGridRowProps, 'flat' | 'active' | 'menu'> {
  readonly row: FileTreeRow;
  readonly units: SizeUnits;
}

function FileCells({ row, units, flat, active, menu }: FileCellsProps) {
  const { file } = row;
  const bad = file.state !== 'ok';
  const folder = flat ? file.path.slice(0, file.path.lastIndexOf('/') + 1) : '';
  return (
    <>
      <span role="gridcell" className={styles['name']} style={indent(row.level)}>
        {flat ? null : <span className={styles['twist']} />}
        {bad ? <TriangleAlert className={styles['alert']} aria-hidden /> : <KindIcon path={file.path} />}
        <PathButton
          tabIndex={-1}
          title={`${plainText(file.path)}\nSHA-256 ${file.sha256}`}
          folder={folder}
          name={baseName(file.path)}
        />
        {bad ? (
          <span className={styles['problem']} title={file.problem === null ? undefined : plainText(file.problem)}>
            {fileStateWords[file.state]}
          </span>
        ) : null}
      </span>
      <span role="gridcell" className={styles['size']} title={exactBytes(file.length)}>
        {formatBytes(file.length, units)}
      </span>
      {/* Clicks in the menu bubble through the components. */}
      {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus */}
      <span role="gridcell" className={styles['menu']} onClick={(event) => event.stopPropagation()}>
        <Menu
          align="end"
          entries={menu(file)}
          trigger={
            <IconButton label={`Actions for ${file.path}`} icon={<Ellipsis aria-hidden />} tabIndex={active ? 0 : -1} />
          }
        />
      </span>
    </>
  );
}
