import type { CaptureChoices } from '../../contract/capture/rules.ts';

type Preset = CaptureChoices['presets'][number];

const folders: Omit<Preset, 'preset' | 'name' | 'explanation' | 'sign' | 'minutes'> = {
  unit: 'folder',
  layout: '{name}',
  pattern: null,
  markers: [],
  unfinished: [],
  ignore: [],
};

/**
 * Settings by instrument. Each waits for the sign that is written last; where a sign is known to come
 * before the last file, nothing may change for some minutes after it.
 */
const presets: readonly Readonly<Preset>[] = [
  {
    ...folders,
    preset: 'generic',
    name: 'Any instrument',
    explanation:
      'A run is complete when nothing in it has changed for ten minutes, and for twice its longest pause. Its bytes are then read twice.',
    sign: 'quiet',
    minutes: 10,
  },
  {
    ...folders,
    preset: 'illumina',
    name: 'Illumina NovaSeq, NextSeq',
    explanation:
      'Waits for CopyComplete.txt. RTAComplete.txt comes earlier, while files are still being copied, and is not enough.',
    sign: 'marker',
    markers: ['CopyComplete.txt'],
    minutes: 0,
  },
  {
    ...folders,
    preset: 'illumina-miseq',
    name: 'Illumina MiSeq',
    explanation:
      'Waits for RTAComplete.txt and RunCompletionStatus.xml, and for five minutes without a change, because files still come after them.',
    sign: 'marker',
    markers: ['RTAComplete.txt', 'RunCompletionStatus.xml'],
    minutes: 5,
  },
  {
    ...folders,
    preset: 'nanopore',
    name: 'Oxford Nanopore',
    explanation:
      'Waits for final_summary*.txt in the folder of the run, and for two minutes without a change, because reads are still being moved then.',
    layout: '{experiment}/{sample}/{name}',
    sign: 'marker',
    markers: ['final_summary*.txt'],
    minutes: 2,
  },
  {
    ...folders,
    preset: 'bruker',
    name: 'Bruker timsTOF',
    explanation:
      'Takes folders whose names end in .d, when nothing has changed for five minutes and the journals of the acquisition are gone. The files have their full size early.',
    layout: '{name}.d',
    sign: 'quiet',
    unfinished: ['*.tdf-journal', '*.tdf-wal', '*.tsf-journal', '*.lock'],
    minutes: 5,
  },
  {
    ...folders,
    preset: 'thermo',
    name: 'Thermo Xcalibur',
    explanation:
      'Takes each .raw file when it has not changed for five minutes. Xcalibur creates it at the start and pauses between scans.',
    unit: 'file',
    pattern: '*.raw',
    sign: 'quiet',
    minutes: 5,
  },
];

/** Layouts of folders that facilities use, with the owner that follows from them. */
const layouts: CaptureChoices['layouts'] = [
  { layout: '{name}', owner: null },
  { layout: '{user}/{name}', owner: '{user}' },
  { layout: '{email}/{name}', owner: '{email}' },
  { layout: '{user}/{experiment}/{name}', owner: '{user}' },
  { layout: '{email}/{experiment}/{name}', owner: '{email}' },
  { layout: '{user}/MyTardis/{experiment}/{name}', owner: '{user}' },
  { layout: '{group}/{instrument}/{user}/{name}', owner: '{user}' },
  { layout: '{group}/{experiment}/{name}', owner: null },
  { layout: '{experiment}/{name}', owner: null },
  { layout: '{project}/{name}', owner: null },
];

/** Presets and layouts that the window and the command line offer for a rule. */
export const captureChoices: CaptureChoices = {
  presets: presets.map((preset) => ({ ...preset })),
  layouts,
};
