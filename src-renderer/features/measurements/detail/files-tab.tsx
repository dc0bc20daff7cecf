import { useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { MeasurementDetail } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { useDebounced } from '../../../ui/hooks/use-debounced.ts';
import { EmptyState } from '../../../ui/notes/empty-state.tsx';
import { formatCount } from '../../../../src-shared/format/quantities.ts';
import { ChoiceBar } from '../files/choice-bar.tsx';
import { nothingChosen } from '../files/choice.ts';
import { Folders } from '../files/folders.tsx';
import { FoundTree } from '../files/found-tree.tsx';
import { Gallery } from '../gallery/gallery.tsx';
import type { Pictures } from '../gallery/use-pictures.ts';
import { useChoosing } from '../files/use-choosing.ts';
import type { WalkState } from '../files/walk.ts';
import { ProblemFiles } from './problem-files.tsx';
import field from '../../../ui/controls/field.module.css';
import screen from '../../../ui/layout/screen.module.css';
import styles from './files-tab.module.css';

/** A search walks through all paths of a measurement, so not each key asks for one. */
const debounceMs = 150;

export interface FilesTabProps extends WalkState {
  readonly measurement: MeasurementDetail;
  readonly pictures: Pictures;
  /** Whether a preview covers the files. */
  readonly isCovered: boolean;
  readonly problemsOnly: boolean;
  readonly onProblemsOnly: (only: boolean) => void;
  readonly onLook: (file: number) => void;
}

/**
 * The frozen list of files as folders in natural order, filtered by a search or to files that are
 * not as registered.
 */
export function FilesTab(props: FilesTabProps) {
  const { measurement, problemsOnly, onProblemsOnly, onLook, walk, change } = props;
  const { desktop, preferences } = useApp();
  const showsPictures = useStore(preferences, (kept) => kept.showsPictures);
  const [typed, setTyped] = useState('');
  const search = useDebounced(typed.trim(), debounceMs);
  const grid = useRef<{ focus: () => void }>(null);
  const choosing = useChoosing(measurement, search, { walk, change });
  const count = measurement.problem_count;
  const onlyProblems = problemsOnly && count > 0;
  if (measurement.state === 'registering')
    return (
      <EmptyState title="The files are being hashed.">The list is frozen and appears when that is done.</EmptyState>
    );
  if (measurement.file_count === 0) return <EmptyState title="This measurement has no files." />;
  // The window downloads nothing: what it has is exported.
  const chooses = desktop === null && !onlyProblems ? choosing : null;
  const list = { measurement, onLook, choosing: chooses, ref: grid };
  return (
    <>
      <div className={`${screen['filter']} ${styles['tools']}`}>
        <FileSearch value={typed} onChange={setTyped} toList={() => grid.current?.focus()} />
        {onlyProblems ? null : <PicturesToggle isOn={showsPictures} onTurnOn={props.pictures.forgetFailures} />}
        {count === 0 ? null : <WhichFiles {...{ measurement, onlyProblems, onProblemsOnly }} />}
      </div>
      {showsPictures && !onlyProblems ? (
        <Gallery measurement={measurement} pictures={props.pictures} isCovered={props.isCovered} onLook={onLook} />
      ) : null}
      {chooses === null ? null : (
        <ChoiceBar
          measurement={measurement}
          choice={walk.choice}
          onClear={() => {
            grid.current?.focus();
            change((before) => ({ ...before, choice: nothingChosen }));
          }}
        />
      )}
      {onlyProblems ? (
        <ProblemFiles key={search} measurement={measurement} search={search} onLook={onLook} />
      ) : search === '' ? (
        <Folders {...list} walk={walk} change={change} />
      ) : (
        <FoundTree key={search} {...list} search={search} />
      )}
    </>
  );
}

interface FileSearchProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly toList: () => void;
}

function FileSearch({ value, onChange, toList }: FileSearchProps) {
  return (
    <input
      type="search"
      className={field['input']}
      aria-label="Search files"
      placeholder="Search files"
      spellCheck={false}
      maxLength={200}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown') return;
        event.preventDefault();
        toList();
      }}
    />
  );
}

/** Reading pictures costs the service and the line something, so it begins when somebody asks for it. */
function PicturesToggle({ isOn, onTurnOn }: { readonly isOn: boolean; readonly onTurnOn: () => void }) {
  const { preferences } = useApp();
  return (
    <div className={screen['choices']}>
      <button
        type="button"
        aria-pressed={isOn}
        onClick={() => {
          if (!isOn) onTurnOn();
          preferences.getState().change({ showsPictures: !isOn });
        }}
      >
        Show pictures
      </button>
    </div>
  );
}

interface WhichFilesProps extends Pick<FilesTabProps, 'measurement' | 'onProblemsOnly'> {
  readonly onlyProblems: boolean;
}

function WhichFiles({ measurement, onlyProblems, onProblemsOnly }: WhichFilesProps) {
  return (
    <div className={screen['choices']} role="group" aria-label="Which files">
      <button type="button" aria-pressed={onlyProblems} onClick={() => onProblemsOnly(true)}>
        Problems {formatCount(measurement.problem_count)}
      </button>
      <button type="button" aria-pressed={!onlyProblems} onClick={() => onProblemsOnly(false)}>
        All {formatCount(measurement.file_count)}
      </button>
    </div>
  );
}
