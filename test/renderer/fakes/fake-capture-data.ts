import type { CaptureChoices, CaptureRule } from '../../../src-main/service/contract/capture/rules.ts';
import type {
  CaptureCounts,
  CaptureHistory,
  CaptureRun,
  CaptureTrial,
} from '../../../src-main/service/contract/capture/runs.ts';

const gib = 1024 ** 3;
const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
const none: CaptureCounts = { all: 0, needs_you: 0, waiting: 0, done: 0, skipped: 0 };

/** A rule that watches a sequencer. */
export function captureRule(id: number, more: Partial<CaptureRule> = {}): CaptureRule {
  return {
    id,
    name: 'NovaSeq 2',
    folder: '/mnt/instruments/novaseq-2/runs',
    unit: 'folder',
    layout: '{user}/{project}/{name}',
    pattern: null,
    sign: 'marker',
    markers: ['CopyComplete.txt'],
    unfinished: [],
    minutes: 10,
    ignore: ['Thumbnail_Images/'],
    id_template: '{rule}-{name}',
    title_template: '{name}, {date}',
    fields: [{ name: 'flowcell', from: 'RunInfo.xml', key: 'Flowcell' }],
    owner: '{user}',
    project: '{project}',
    readers: [],
    notify: [],
    copy: false,
    push_to: 1,
    push_project: null,
    existing: false,
    push_server: 'Facility',
    state: 'watching',
    message: null,
    since: ago(4000),
    looked_at: ago(0),
    look_every_seconds: 10,
    counts: none,
    created_at: ago(9000),
    ...more,
  };
}

/** Rules in the states that a person sees. */
export const sampleRules: readonly CaptureRule[] = [
  captureRule(1),
  captureRule(2, {
    name: 'Nanopore P2',
    folder: '/srv/data/nanopore/PromethION-2-Solo-in-room-4.117/output/2026',
    sign: 'moved-in',
    markers: [],
    owner: 'alice',
    copy: true,
    push_to: null,
    push_server: null,
    state: 'paused',
    since: ago(300),
    looked_at: ago(300),
    look_every_seconds: null,
  }),
  captureRule(3, {
    name: 'Raman bench',
    folder: String.raw`\\nas-3.lab.example\raman\export`,
    unit: 'files',
    pattern: '{name}_*.wdf',
    sign: 'quiet',
    markers: [],
    minutes: 30,
    owner: 'bob',
    copy: true,
    state: 'unreachable',
    message:
      'The share nas-3.lab.example does not answer. Check the network and that computer; watching goes on by itself.',
    since: ago(190),
    looked_at: ago(191),
  }),
];

/** A run that was found a while ago. */
function captureRun(id: number, state: CaptureRun['state'], more: Partial<CaptureRun> = {}): CaptureRun {
  const isRegistered = state === 'registered' || state === 'pushed' || state === 'changed-after';
  return {
    id,
    rule_id: 1,
    rule_name: 'NovaSeq 2',
    name: `bob/metagenome/2611${String(id).padStart(2, '0')}_A01234_0${100 + id}_AHXYZ`,
    state,
    reason: null,
    message: null,
    file_count: 1200 + id * 37,
    total_bytes: (3 + id * 7) * gib,
    first_seen_at: ago(600 + id * 60),
    changed_at: ago(id * 9),
    ready_at: isRegistered || state === 'hashing' ? ago(id * 5) : null,
    longest_gap_seconds: id * 77,
    missing: false,
    measurement_id: isRegistered ? `NovaSeq-2-2611${String(id).padStart(2, '0')}_A01234` : null,
    ...more,
  };
}

/** Runs in all of their states, and more that were registered. */
export const sampleRuns: readonly CaptureRun[] = [
  captureRun(1, 'seen', { file_count: 3, total_bytes: 20_480 }),
  captureRun(2, 'growing'),
  captureRun(3, 'quiet'),
  captureRun(4, 'hashing'),
  captureRun(5, 'registered'),
  captureRun(6, 'pushed', { missing: true }),
  captureRun(7, 'needs-you', {
    reason: 'id-taken',
    message: 'There is another measurement NovaSeq-2-261107_A01234. Choose another id.',
  }),
  captureRun(8, 'needs-you', {
    reason: 'refused-names',
    message: 'Data/aux.txt is a reserved name on Windows. Rename it, or register the run without it.',
  }),
  captureRun(9, 'needs-you', { reason: 'unknown-owner' }),
  captureRun(10, 'changed-after', { reason: 'changed' }),
  captureRun(11, 'skipped', { reason: 'there-before' }),
  captureRun(12, 'gone'),
  captureRun(13, 'growing', {
    rule_id: 2,
    rule_name: 'Nanopore P2',
    name: 'a_name_without_any_space_that_goes_on_and_on_20261127_1632_P2S-01_PAW12345_deadbeef_with_a_longer_end',
  }),
  ...Array.from({ length: 17 }, (_, at) =>
    captureRun(
      14 + at,
      at % 3 === 0 ? 'pushed' : 'registered',
      at % 4 === 0 ? { rule_id: 3, rule_name: 'Raman bench', name: `si-wafer-${at}` } : {},
    ),
  ),
];

export const sampleHistory: CaptureHistory = [
  { at: ago(5), state: 'needs-you', reason: 'unknown-owner', message: null },
  { at: ago(7), state: 'hashing', reason: null, message: null },
  { at: ago(17), state: 'quiet', reason: null, message: null },
  { at: ago(400), state: 'growing', reason: null, message: null },
];

type Preset = CaptureChoices['presets'][number];
const preset = (more: Pick<Preset, 'preset' | 'name' | 'explanation'> & Partial<Preset>): Preset => ({
  unit: 'folder',
  layout: '{name}',
  pattern: null,
  sign: 'quiet',
  markers: [],
  unfinished: [],
  minutes: 10,
  ignore: [],
  ...more,
});

export const sampleChoices: CaptureChoices = {
  presets: [
    preset({
      preset: 'generic',
      name: 'Any instrument',
      explanation: 'Waits until nothing has changed for 10 minutes, because nothing is known about its files.',
    }),
    preset({
      preset: 'illumina',
      name: 'Illumina',
      explanation: 'Waits for CopyComplete.txt, which is written after the last file was copied.',
      sign: 'marker',
      markers: ['CopyComplete.txt'],
      minutes: 1,
      ignore: ['Thumbnail_Images/'],
    }),
    preset({
      preset: 'thermo',
      name: 'Thermo Fisher',
      explanation: 'Each .raw file is a run.',
      unit: 'file',
      pattern: '*.raw',
    }),
  ],
  layouts: [
    { layout: '{name}', owner: null },
    { layout: '{user}/{name}', owner: '{user}' },
    { layout: '{user}/{project}/{name}', owner: '{user}' },
  ],
};

export const sampleTrial: CaptureTrial = {
  total: 140,
  message: null,
  runs: Array.from({ length: 14 }, (_, at) => {
    const isComplete = at % 3 !== 2;
    const isUnknown = at === 4;
    return {
      name: `bob/metagenome/2611${10 + at}_A01234`,
      file_count: 1204 + at,
      total_bytes: (20 + at) * gib,
      is_complete: isComplete,
      measurement_id: `runs-2611${10 + at}_A01234`,
      title: `2611${10 + at}_A01234, 2026-11-27`,
      owner: isUnknown ? null : 'bob',
      project: 'lab/metagenome',
      reason: isUnknown ? 'unknown-owner' : isComplete ? null : 'no-sign',
      message: isUnknown ? 'There is no user bob-x.' : isComplete ? null : 'CopyComplete.txt is not there yet.',
      known_as: at === 0 ? 'registered' : null,
    };
  }),
};
