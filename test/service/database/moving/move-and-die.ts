/**
 * A move in a process of its own that kills itself at a point. Arguments: `postgres` or `sqlite`
 * (where to), data directory, address, a point: `STEP NUMBER`, when a step reports for that time, or
 * one of `moving`, `prepared`, `finished`, `placed` and `done`.
 */
import { moveDatabase } from '../../../../src-main/service/database/moving/move-database.ts';
import { withSides } from '../../../../src-main/service/database/moving/open-sides.ts';
import type { MoveTarget } from '../../../../src-main/service/database/moving/sides.ts';

const [to = '', dataDir = '', url = '', point = '', number = ''] = process.argv.slice(2);
const dieAt = (here: string): void => {
  if (here === point) process.kill(process.pid, 'SIGKILL');
};

/** A target with a death after one of its steps. */
function mortal(target: MoveTarget): MoveTarget {
  return {
    ...target,
    prepare: async () => {
      await target.prepare();
      dieAt('prepared');
    },
    finish: async (ids) => {
      await target.finish(ids);
      dieAt('finished');
    },
    putInPlace: async () => {
      await target.putInPlace();
      dieAt('placed');
    },
    writeMark: async (mark) => {
      await target.writeMark(mark);
      dieAt(mark?.state ?? '');
    },
  };
}

let reports = 0;
await withSides({ to: to as 'postgres' | 'sqlite', dataDir, url, mayCreate: true }, async (source, target) =>
  moveDatabase({
    source,
    target: mortal(target),
    settings: [['of.the.target', '1']],
    signal: new AbortController().signal,
    report: ({ step }) => {
      if (step === point) reports += 1;
      if (reports === Number(number)) dieAt(step);
    },
  }),
);
