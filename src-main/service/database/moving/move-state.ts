import { StartError } from '../../common/start-error.ts';
import { refuseMarked, type MoveMark } from '../postgres/move-mark.ts';
import type { MoveSource, MoveTarget } from './sides.ts';

/** Where a move stands: with `begin` nothing was written to the target. */
export interface MoveState {
  readonly id: string;
  readonly step: 'begin' | 'go-on' | 'in-place';
}

/**
 * Finds out from the marks of both sides whether a move begins or goes on.
 *
 * @throws StartError when one of them takes part in another move, or cannot take part in this one.
 */
export async function moveState(source: MoveSource, target: MoveTarget): Promise<MoveState> {
  const [here, there] = [await source.readMark(), await target.readMark()];
  const isOurs = here?.role === 'source' && here.state === 'moving' && here.other === target.shown;
  if (!isOurs) refuseMarked(here, source.shown);
  if (isOurs && there?.id === here.id && there.role === 'target')
    return { id: here.id, step: there.state === 'done' || (await target.isInPlace()) ? 'in-place' : 'go-on' };
  if (there?.state === 'moving') refuseMarked(there, target.shown);
  const refusal = await target.refusal();
  if (refusal !== null) throw new StartError('data-unusable', refusal);
  return { id: isOurs ? here.id : crypto.randomUUID(), step: 'begin' };
}

/** The mark of one side. */
export function markOf(id: string, role: MoveMark['role'], state: MoveMark['state'], other: string): MoveMark {
  return { id, role, state, other, at: Date.now() };
}
