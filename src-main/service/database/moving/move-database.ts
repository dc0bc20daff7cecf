import { StartError } from '../../common/start-error.ts';
import { compare, type ComparedTable } from './compare.ts';
import { copyRows, highestIds } from './copy-rows.ts';
import { examine, type MoveContents } from './examine.ts';
import type { ReportMove } from './move-progress.ts';
import { markOf, moveState } from './move-state.ts';
import type { MoveSource, MoveTarget } from './sides.ts';

export interface MoveInput {
  readonly source: MoveSource;
  readonly target: MoveTarget;
  /** Settings that only the target has; none when left out. */
  readonly settings?: readonly (readonly [key: string, value: string])[];
  readonly report: ReportMove;
  readonly signal: AbortSignal;
}

export interface MoveResult {
  readonly contents: MoveContents;
  /** Empty when the target was already complete. */
  readonly compared: readonly ComparedTable[];
}

/**
 * Looks at what would be moved, and changes nothing.
 *
 * @throws StartError when it cannot be moved at all.
 */
export async function rehearseMove({ source, target, report, signal }: MoveInput): Promise<MoveContents> {
  await moveState(source, target);
  await source.hold();
  return examine(source, target.engine, report, signal);
}

/**
 * Moves all state from one database to another. The source is only read; after each interruption,
 * also by a kill, the next call goes on where this one was.
 *
 * From its beginning to its end no service starts on either side, and afterwards only on the target:
 * the target's mark `done` is the moment at which it has the data.
 *
 * @throws StartError with a message for the user; the source is then as it was.
 */
export async function moveDatabase(input: MoveInput): Promise<MoveResult> {
  const { source, target, report, signal } = input;
  const { id, step } = await moveState(source, target);
  if (step === 'begin') await claim(id, source, target);
  const contents = await holdAndExamine(input, step === 'begin');
  let compared: readonly ComparedTable[] = [];
  if (step !== 'in-place') {
    await target.prepare();
    await copyRows(source, target, contents, report, signal);
    await target.finish(await highestIds(source));
    compared = await compare(source, target, contents, report, signal);
    await target.putInPlace();
  }
  await target.writeMark(markOf(id, 'target', 'done', source.shown));
  // After the comparison, which would fail if this was interrupted before the mark.
  for (const [key, value] of input.settings ?? []) await target.addSetting(key, value);
  await source.writeMark(markOf(id, 'source', 'done', target.shown));
  return { contents, compared };
}

/**
 * Leaves the marks that keep services away.
 *
 * @throws StartError when a service started on the target since the first look.
 */
async function claim(id: string, source: MoveSource, target: MoveTarget): Promise<void> {
  await source.writeMark(markOf(id, 'source', 'moving', target.shown));
  try {
    await target.writeMark(markOf(id, 'target', 'moving', source.shown));
    const refusal = await target.refusal();
    if (refusal !== null) throw new StartError('data-unusable', refusal);
  } catch (error) {
    await unclaim(source, target);
    throw error;
  }
}

/** Removes the marks of a move that wrote nothing else. */
async function unclaim(source: MoveSource, target: MoveTarget): Promise<void> {
  await target.writeMark(null);
  await source.writeMark(null);
}

async function holdAndExamine(
  { source, target, report, signal }: MoveInput,
  hasJustBegun: boolean,
): Promise<MoveContents> {
  try {
    await source.hold();
    const contents = await examine(source, target.engine, report, signal);
    const [first] = contents.problems;
    if (first)
      throw new StartError(
        'data-unusable',
        `${first.table}.${first.column} of the row ${first.key} has ${first.problem}. Nothing was moved. Run it with --dry-run to see all of them.`,
      );
    return contents;
  } catch (error) {
    if (hasJustBegun) await unclaim(source, target);
    throw error;
  }
}

/** Result of giving a move up. */
export interface Abandoned {
  /** Whether the target had the complete data, which were left there. */
  readonly wasComplete: boolean;
}

/**
 * Gives up a move, or undoes the end of one: a service starts on the source again. What a move in the
 * middle brought to the target is removed; a complete target keeps its data.
 *
 * @throws StartError when there is no move between the two.
 */
export async function abandonMove(source: MoveSource, target: MoveTarget): Promise<Abandoned> {
  const [here, there] = [await source.readMark(), await target.readMark()];
  const isSource = here?.role === 'source' && here.other === target.shown;
  const isTarget = there?.role === 'target' && there.other === source.shown && (!isSource || there.id === here.id);
  if (!isSource && !(isTarget && there.state === 'moving'))
    throw new StartError('data-unusable', `No move from ${source.shown} to ${target.shown} has begun.`);
  const wasComplete = isTarget && (there.state === 'done' || (await target.isInPlace()));
  if (isTarget && !wasComplete) await target.clear();
  if (isTarget && there.state === 'moving') await target.writeMark(null);
  if (isSource) await source.writeMark(null);
  return { wasComplete };
}
