/** The thread that writes small files and gives them their names, while the one that fetches reads what comes next. */
import { answerInThread } from '../../answer-in-thread.ts';
import type { DiskAnswer, DiskQuestion, Trouble } from './disk-thread-messages.ts';
import { openTarget, type Target } from './target-folder.ts';
import { targetError } from './target-folder-error.ts';
import { nameFiles, writeFile } from './write-files.ts';

let target: Target | null = null;
let room: Uint8Array = new Uint8Array();

function troubleOf(error: unknown, path: string): Trouble {
  const { reason, message, onlyThisFile } = targetError(error, path);
  return { reason, message, onlyThisFile };
}

function write(into: Target, start: number, paths: readonly string[], lengths: readonly number[]): readonly (number | Trouble)[] {
  let end = start;
  return paths.map((path, at) => {
    const from = end;
    end += lengths[at] ?? 0;
    try {
      return writeFile(into, path, room.subarray(from, end));
    } catch (error) {
      return troubleOf(error, path);
    }
  });
}

async function name(into: Target, paths: readonly string[], fds: readonly number[]): Promise<readonly (Trouble | null)[]> {
  const troubles = await nameFiles(
    into,
    paths.map((path, at) => ({ path, fd: fds[at] ?? -1 })),
  );
  return troubles.map((trouble) => trouble && troubleOf(trouble, ''));
}

async function answer(question: DiskQuestion): Promise<DiskAnswer> {
  if (question.op === 'open') {
    target = await openTarget(question.folder);
    room = new Uint8Array(question.room);
    return { each: [] };
  }
  if (!target) throw new Error('the folder is not open');
  if (question.op === 'write') return { each: write(target, question.start, question.paths, question.lengths) };
  if (question.op === 'name') return { each: await name(target, question.paths, question.fds) };
  target.close();
  return { each: [] };
}

answerInThread(async (question: DiskQuestion): Promise<DiskAnswer> => {
  try {
    return await answer(question);
  } catch (error) {
    return { trouble: troubleOf(error, '') };
  }
});
