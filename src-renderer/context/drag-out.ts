import { toApiError } from '../api/requests/problem.ts';
import type { Job, Staged } from '../api/requests/types.ts';
import type { Desktop } from './desktop.ts';
import type { createLiveStore, createToastStore } from './stores.ts';

/**
 * Milliseconds for which a prepared path may be used: after that the files may have changed, and it
 * is requested again.
 */
const freshFor = 30_000;
/** Milliseconds. Files that are ready sooner need no message. */
const noticeDelayMs = 400;

interface DragOutDeps {
  readonly desktop: Desktop | null;
  readonly toasts: ReturnType<typeof createToastStore>;
  readonly live: ReturnType<typeof createLiveStore>;
}

export interface DragOut {
  /** Whether rows can be dragged at all: only out of the window. */
  readonly enabled: boolean;
  /** Requests the path ahead, on pointer down on a file that is dragged in place. */
  prepare(id: string, index: number | null): void;
  /**
   * Begins the operating system's drag, now or as soon as the files are ready; until then it shows
   * the progress.
   */
  start(event: { preventDefault: () => void }, id: string, index: number | null, name?: string): void;
  /**
   * Whether the dragged data over the window originates from it, as far as can be known before the
   * drop.
   */
  isOwnDrag(): boolean;
  /** Whether these dropped paths were dragged out just before. */
  isOwnDrop(paths: readonly string[]): boolean;
}

/**
 * Dragging files and measurements onto the desktop. That needs real files: the service names or
 * creates them.
 */
export function createDragOut(
  { desktop, toasts, live }: DragOutDeps,
  stage: (id: string, index: number | null) => Promise<Staged>,
): DragOut {
  const paths = new Map<string, { readonly path: string; readonly at: number }>();
  let wanted: string | null = null;
  let ownDrag = false;
  let handed: string | null = null;
  const letGo = (): void => {
    wanted = null;
    ownDrag = false;
  };
  window.addEventListener('pointerdown', letGo);
  window.addEventListener('pointerup', letGo);
  // The operating system's drag swallows pointer events; the first move without a button means that
  // it is over.
  window.addEventListener('pointermove', ({ buttons }) => {
    if (buttons === 0) letGo();
  });

  const keyOf = (id: string, index: number | null): string => `${id}\n${index ?? ''}`;
  const keep = (key: string, path: string): void => {
    paths.set(key, { path, at: Date.now() });
  };
  const hand = (path: string): void => {
    ownDrag = true;
    handed = path;
    desktop?.startDrag(path);
  };
  const fail = (name: string, reason: string): void => {
    toasts.getState().show({ kind: 'bad', text: `${name} cannot be dragged out`, detail: reason });
  };

  /** The path that a job creates; null when it was cancelled. */
  function ended(job: Job): Promise<Job> {
    const { putJob, endedJob } = live.getState();
    putJob(job);
    return new Promise((resolve) => {
      const look = (): boolean => {
        const after = endedJob(job.id);
        if (after !== undefined) resolve(after);
        return after !== undefined;
      };
      if (look()) return;
      const stop = live.subscribe(() => look() && stop());
    });
  }

  async function begin(id: string, index: number | null, name: string): Promise<void> {
    const key = keyOf(id, index);
    wanted = key;
    const { path, job } = await stage(id, index);
    let ready = path;
    if (job !== null) {
      const notice = setTimeout(
        () =>
          toasts
            .getState()
            .show({ kind: 'plain', text: `Preparing ${name}`, detail: 'Its files are copied first.', jobId: job.id }),
        noticeDelayMs,
      );
      const end = await ended(job);
      clearTimeout(notice);
      if (end.state === 'failed') fail(name, end.message ?? '');
      ready = end.state === 'done' ? end.result : null;
    }
    if (ready === null) return;
    keep(key, ready);
    if (wanted === key) hand(ready);
    else toasts.getState().show({ kind: 'plain', text: `${name} is ready`, detail: 'Drag it again.' });
  }

  return {
    enabled: desktop !== null,
    isOwnDrag: () => ownDrag,
    isOwnDrop: (dropped) => ownDrag && dropped.every((path) => path === handed),
    prepare(id, index) {
      if (desktop === null) return;
      stage(id, index).then(
        ({ path }) => path !== null && keep(keyOf(id, index), path),
        () => {
          // The drag itself requests it again and reports the failure.
        },
      );
    },
    start(event, id, index, name = id) {
      event.preventDefault();
      const known = paths.get(keyOf(id, index));
      if (known !== undefined && Date.now() - known.at < freshFor) hand(known.path);
      else begin(id, index, name).catch((error: unknown) => fail(name, toApiError(error).detail));
    },
  };
}
