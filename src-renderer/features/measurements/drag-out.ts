import type { Job } from '../../api/types.ts';
import { toApiError } from '../../api/problem.ts';
import type { AppServices } from '../../app/context.ts';

/** How long a prepared path may be used: after that the files may have changed, and it is asked for again. */
const freshFor = 30_000;

interface Prepared {
  readonly path: string | null;
  readonly job: Job | null;
  readonly at: number;
}

export interface DragOut {
  /** Whether rows can be dragged at all: only out of the window. */
  readonly enabled: boolean;
  /** Asks for the path ahead, when a button goes down on something that is quickly ready. */
  prepare(id: string, index: number | null): void;
  /** Begins the drag of the operating system, or says how far the preparation is. */
  start(event: { preventDefault: () => void }, id: string, index: number | null): void;
  /** Whether what is over the window now came out of it. */
  isOwnDrag(): boolean;
}

/** Dragging files and measurements onto the desktop. Real files are needed for that: the service names or makes them. */
export function createDragOut({ actions, desktop, toasts, live }: Pick<AppServices, 'actions' | 'desktop' | 'toasts' | 'live'>): DragOut {
  const prepared = new Map<string, Prepared>();
  const asked = new Map<string, Promise<Prepared>>();
  let pressed = false;
  let ownDrag = false;

  window.addEventListener('pointerdown', () => {
    pressed = true;
    ownDrag = false;
  });
  window.addEventListener('pointerup', () => {
    pressed = false;
    ownDrag = false;
  });

  const keyOf = (id: string, index: number | null): string => `${id}\n${index ?? ''}`;

  function ask(id: string, index: number | null): Promise<Prepared> {
    const key = keyOf(id, index);
    const running = asked.get(key);
    if (running !== undefined) return running;
    const request = actions
      .stage(id, index)
      .then(({ path, job }) => {
        const answer = { path, job, at: Date.now() };
        prepared.set(key, answer);
        if (job !== null) live.getState().putJob(job);
        return answer;
      })
      .finally(() => asked.delete(key));
    asked.set(key, request);
    return request;
  }

  function hand(path: string): void {
    ownDrag = true;
    desktop?.startDrag(path);
  }

  return {
    enabled: desktop !== null,
    isOwnDrag: () => ownDrag,
    prepare(id, index) {
      if (desktop === null) return;
      ask(id, index).catch(() => {
        // The drag itself asks again and says why it failed.
      });
    },
    start(event, id, index) {
      event.preventDefault();
      const known = prepared.get(keyOf(id, index));
      if (known !== undefined && known.path !== null && Date.now() - known.at < freshFor) {
        hand(known.path);
        return;
      }
      pressed = true;
      ask(id, index).then(
        ({ path, job }) => {
          if (path !== null && pressed) hand(path);
          if (job !== null) toasts.getState().show({ kind: 'plain', text: `Preparing ${id}`, detail: 'Drag it again when it is ready.', jobId: job.id });
        },
        (error: unknown) => toasts.getState().show({ kind: 'bad', text: `${id} cannot be dragged out`, detail: toApiError(error).detail }),
      );
    },
  };
}
