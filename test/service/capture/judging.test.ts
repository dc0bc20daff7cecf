import { describe, expect, test } from 'vitest';
import { judgeRun, type RunMemory } from '../../../src-main/service/capture/watching/judge-run.ts';
import { captureChoices } from '../../../src-main/service/capture/naming/presets.ts';
import type { ScannedRun } from '../../../src-main/service/capture/scanning/scan-messages.ts';

const minute = 60_000;
const run: ScannedRun = {
  name: 'run',
  exists: true,
  failure: null,
  inode: '1',
  fileCount: 3,
  totalBytes: 10,
  activity: 'a',
  signature: 's',
  missingMarkers: [],
  unfinished: null,
  isMovedIn: false,
};
const memory: RunMemory = { activity: 'a', since: 0, looks: 1, isUntouched: true, content: 'read' };
const marker = { sign: 'marker', minutes: 0, markers: ['done.txt'] } as const;
const quiet = { sign: 'quiet', minutes: 10, markers: [] } as const;
const moved = { sign: 'moved-in', minutes: 0, markers: [] } as const;

type Rule = Parameters<typeof judgeRun>[0];

function judge(
  rule: Omit<Rule, 'markers'> & { readonly markers: readonly string[] },
  changes: {
    run?: Partial<ScannedRun>;
    memory?: Partial<RunMemory>;
    after?: number;
    gap?: number;
    forced?: boolean;
  } = {},
) {
  return judgeRun(
    { ...rule, markers: [...rule.markers] },
    { ...run, ...changes.run },
    { ...memory, ...changes.memory },
    { longestGapMs: changes.gap ?? 0, isForced: changes.forced === true, now: changes.after ?? 0 },
  );
}

describe('a marker', () => {
  test('is enough, once another look has seen no change', () => {
    expect(judge(marker, { memory: { looks: 0 } }).kind).toBe('wait');
    expect(judge(marker).kind).toBe('ready');
  });

  test('that is not there is named', () => {
    const verdict = judge(marker, { run: { missingMarkers: ['done.txt'] }, after: 1000 * minute });
    expect(verdict).toMatchObject({
      kind: 'wait',
      cause: { reason: 'no-sign', message: 'done.txt is not there yet.' },
    });
  });

  test('that comes too early is followed by minutes without a change', () => {
    const rule = { ...marker, minutes: 5 };
    expect(judge(rule, { after: 4 * minute })).toMatchObject({ kind: 'wait', readyInMs: minute });
    expect(judge(rule, { after: 5 * minute }).kind).toBe('ready');
  });
});

describe('silence', () => {
  test('lasts as long as the rule says, and twice the longest pause', () => {
    expect(judge(quiet, { after: 4 * minute }).kind).toBe('wait');
    expect(judge(quiet, { after: 10 * minute }).kind).toBe('ready');
    expect(judge(quiet, { after: 10 * minute, gap: 8 * minute })).toMatchObject({
      kind: 'settled',
      readyInMs: 6 * minute,
    });
    expect(judge(quiet, { after: 16 * minute, gap: 8 * minute }).kind).toBe('ready');
  });

  test('is not enough before the bytes were read once', () => {
    expect(judge(quiet, { after: 60 * minute, memory: { content: null } }).kind).toBe('settled');
  });

  test('does not count while a file says that the run goes on', () => {
    expect(judge(quiet, { after: 60 * minute, run: { unfinished: 'a.tdf-journal' } }).cause.reason).toBe('unfinished');
  });
});

describe('a run that was moved in', () => {
  test('is complete at the second look', () => {
    expect(judge(moved, { run: { isMovedIn: true } }).kind).toBe('ready');
  });

  test('has to be quiet for a minute if it was copied, or has changed here', () => {
    expect(judge(moved, { after: 20_000 }).kind).toBe('wait');
    expect(judge(moved, { run: { isMovedIn: true }, memory: { isUntouched: false }, after: 20_000 }).kind).toBe('wait');
    expect(judge(moved, { after: minute }).kind).toBe('ready');
  });
});

test('a person may end the waiting, but not for what cannot be read or has no files', () => {
  expect(judge(marker, { run: { missingMarkers: ['done.txt'] }, forced: true }).kind).toBe('ready');
  expect(judge(quiet, { run: { failure: 'x: no' }, forced: true }).cause.reason).toBe('unreadable');
  expect(judge(quiet, { run: { fileCount: 0 }, forced: true }).cause.reason).toBe('empty');
});

describe('presets and their traps', () => {
  const preset = (name: string) => {
    const found = captureChoices.presets.find((one) => one.preset === name);
    if (!found) throw new Error(`no preset ${name}`);
    return found;
  };
  const missing = (...markers: readonly string[]) => ({ run: { missingMarkers: markers } });

  test('illumina: RTAComplete.txt comes while files are still copied, and is not the marker', () => {
    expect(preset('illumina').markers).toEqual(['CopyComplete.txt']);
    expect(judge(preset('illumina'), missing('CopyComplete.txt')).kind).toBe('wait');
  });

  test('illumina-miseq: files come after the markers', () => {
    expect(judge(preset('illumina-miseq'), missing('RunCompletionStatus.xml')).kind).toBe('wait');
    expect(judge(preset('illumina-miseq'), { after: 4 * minute }).kind).toBe('wait');
    expect(judge(preset('illumina-miseq'), { after: 5 * minute }).kind).toBe('ready');
  });

  test('nanopore: reads are moved after the summary', () => {
    expect(judge(preset('nanopore'), { after: minute }).kind).toBe('wait');
    expect(judge(preset('nanopore'), { after: 2 * minute }).kind).toBe('ready');
  });

  test('bruker: the full size is there early, and the journal says that it goes on', () => {
    expect(judge(preset('bruker'), { after: 60 * minute, run: { unfinished: 'analysis.tdf-journal' } }).kind).toBe(
      'wait',
    );
    expect(judge(preset('bruker'), { after: 60 * minute, memory: { content: null } }).kind).toBe('settled');
  });

  test('thermo: the file exists from the start, and pauses are not the end', () => {
    expect(judge(preset('thermo'), { after: 5 * minute, gap: 4 * minute }).kind).not.toBe('ready');
    expect(judge(preset('thermo'), { after: 8 * minute, gap: 4 * minute }).kind).toBe('ready');
  });
});
