import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fetchStageOf, fetchTransitions } from '../../../../src-shared/states/fetch-states.ts';
import { nextOf } from '../../../../src-shared/states/transitions.ts';
import type { FetchOutcome } from '../../../../src-main/service/fetching/engine/types.ts';
import type { FetchRow } from '../../../../src-main/service/fetching/store/fetch-row.ts';
import { turns } from './fake-engine.ts';
import { done, unreachable, useQueueWorld } from './queue-world.ts';
import { cells } from './states-scene.ts';

const world = useQueueWorld();

const outcomes: readonly FetchOutcome[] = [
  done,
  unreachable,
  { kind: 'stopped' },
  { kind: 'failed', reason: 'not-found', message: 'gone' },
  { kind: 'ask', reason: 'disk-full', message: 'full' },
  { kind: 'ask', reason: 'token-refused', message: 'token' },
];
const step = fc.oneof(
  fc.record({
    do: fc.constantFrom('add', 'add-paused', 'restart', 'wait', 'long-wait', 'wake', 'full', 'room', 'servers'),
  }),
  fc.record({
    do: fc.constantFrom('pause', 'resume', 'cancel', 'retry', 'verify', 'remove', 'clear'),
    of: fc.nat(3),
    all: fc.boolean(),
  }),
  fc.record({ do: fc.constant('end'), of: fc.nat(3), outcome: fc.nat(outcomes.length - 1) }),
);
type Step = { readonly do: string; readonly of?: number; readonly all?: boolean; readonly outcome?: number };

async function take({ do: what, of = 0, all = false, outcome = 0 }: Step): Promise<void> {
  const ids = world.database.prepare<[], number>('SELECT id FROM fetches ORDER BY id DESC').pluck().all();
  const id = ids[of];
  const running = world.runs.filter(({ over }) => !over);
  switch (what) {
    case 'add':
    case 'add-paused':
      await world.add({ paused: what === 'add-paused', target: `/data/${ids.length % 3}` });
      break;
    case 'restart':
      await world.restart();
      break;
    case 'wait':
    case 'long-wait':
      await world.clock.advance(what === 'wait' ? 3000 : 1_200_000);
      break;
    case 'wake':
      world.clock.set(world.clock.now() + 86_400_000);
      break;
    case 'full':
    case 'room':
      world.room = { free: what === 'full' ? 0 : 1e15, disk: 'd', made: true };
      break;
    case 'servers':
      world.tokens.set(1, String(Math.random()));
      await world.serversChanged();
      break;
    case 'end':
      await running[of]?.end(outcomes[outcome] ?? done);
      break;
    default:
      if (id !== undefined) void world.queue.act(what as 'pause', all ? 'all' : [id]);
  }
}

test('whatever happens in whatever order, no fetch leaves the table or is forgotten', async () => {
  world.database.exec(`CREATE TEMP TABLE moves (before_state, before_end, after_state, after_end);
    CREATE TEMP TRIGGER moved AFTER UPDATE OF state, ended_at ON fetches BEGIN
      INSERT INTO moves VALUES (old.state, old.ended_at, new.state, new.ended_at); END`);
  const allowed = new Set(
    cells.flatMap(([stage, event]) => {
      const next = nextOf(fetchTransitions, stage, event);
      return (next === 'as-ended' ? ['done', 'failed'] : [next]).map((one) => `${stage} ${one}`);
    }),
  );
  const moves = world.database.prepare<
    [],
    Record<'before_state' | 'after_state', FetchRow['state']> & Record<'before_end' | 'after_end', number | null>
  >('SELECT DISTINCT * FROM moves');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, fc.boolean()), { minLength: 5, maxLength: 30 }), async (steps) => {
      for (const [one, waits] of steps) {
        await take(one);
        if (waits) await turns();
      }
      world.room = { free: 1e15, disk: 'd', made: true };
      await turns();
      await world.queue.act('resume', 'all');
      for (let round = 0; round < 40; round += 1) {
        for (const run of world.runs.filter(({ over }) => !over)) await run.end(done);
        await world.clock.advance(60_000);
      }
      const left = world.database.prepare<[], string>('SELECT DISTINCT state FROM fetches').pluck().all();
      expect(left.filter((state) => !['done', 'failed', 'cancelled'].includes(state))).toEqual([]);
      const pairs = moves.all().map((one) => {
        const before = fetchStageOf({ state: one.before_state, ended_at: one.before_end });
        return `${before} ${fetchStageOf({ state: one.after_state, ended_at: one.after_end })}`;
      });
      expect(pairs.filter((pair) => !allowed.has(pair))).toEqual([]);
      await world.queue.act('remove', 'all');
    }),
    { numRuns: 40 },
  );
});
