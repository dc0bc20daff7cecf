import { answeredTooSeldom } from './expected.ts';
import type { World, Writer } from './world.ts';
import { changeSettings, changeUser, createToken, oauth, revokeToken, signInOrOut } from './write-access.ts';
import { changeErrors, sendEvent } from './write-errors.ts';
import {
  backUp,
  changeGrant,
  fetchSomething,
  registerSomething,
  removeSomething,
  restoreOrPurge,
} from './write-measurements.ts';

/** Every kind of write, with its concurrency and its pause in milliseconds. */
export const writers: readonly (readonly [writer: Writer, atOnce: number, rest: number])[] = [
  [registerSomething, 2, 10],
  [removeSomething, 1, 30],
  [restoreOrPurge, 1, 30],
  [createToken, 1, 2],
  [revokeToken, 1, 4],
  [changeGrant, 1, 3],
  [changeUser, 1, 5],
  [signInOrOut, 1, 30],
  [oauth, 2, 10],
  [sendEvent, 4, 0],
  [changeErrors, 1, 10],
  [changeSettings, 1, 5],
  [backUp, 1, 150],
  [fetchSomething, 1, 60],
];

const maxTurns = 200;

/** Writes each kind in turn until it was confirmed, so that none is missing by chance. */
export async function answerEachKind(world: World): Promise<void> {
  for (let turn = 0; answeredTooSeldom(world.expected, 1).length > 0; turn += 1) {
    if (turn === maxTurns) throw new Error(`never answered: ${answeredTooSeldom(world.expected, 1).join(', ')}`);
    for (const [writer] of writers) await writer(world);
  }
}
