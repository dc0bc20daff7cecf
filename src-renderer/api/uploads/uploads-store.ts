import { createStore } from 'zustand/vanilla';
import { toApiError } from '../requests/problem.ts';
import { nextOf } from '../../../src-shared/states/transitions.ts';
import {
  uploadTransitions,
  type UploadTaskEvent,
  type UploadTaskState,
} from '../../../src-shared/states/upload-states.ts';
import { SourceError, type HashedFile } from './hash-files.ts';
import type { Picked } from './picked-files.ts';
import { runUpload } from './run-upload.ts';
import type { UploadApi, UploadNames } from './upload-api.ts';

/** An upload of this page. */
export interface UploadTask {
  readonly key: number;
  readonly names: UploadNames;
  readonly state: UploadTaskState;
  /** Of the files. */
  readonly bytes: number;
  readonly bytesRead: number;
  /** Of the upload at the service; null before it has begun. */
  readonly uploadId: string | null;
  readonly sent: number;
  readonly length: number;
  /** Why it waits or failed. */
  readonly reason: string | null;
}

interface Running {
  readonly picked: Picked;
  hashed: readonly HashedFile[] | null;
  abort: AbortController;
}

interface UploadsDeps {
  readonly api: UploadApi;
  readonly onDone: (task: UploadTask, wasThere: boolean) => void;
}

export type Uploads = ReturnType<typeof createUploads>;

/** The uploads of this page. They go on while other screens are shown, and end with the page. */
export function createUploads({ api, onDone }: UploadsDeps) {
  const store = createStore<{ readonly tasks: readonly UploadTask[] }>()(() => ({ tasks: [] }));
  const running = new Map<number, Running>();
  let lastKey = 0;

  const change = (key: number, to: Partial<UploadTask>): void =>
    store.setState(({ tasks }) => ({ tasks: tasks.map((task) => (task.key === key ? { ...task, ...to } : task)) }));
  const taskOf = (key: number): UploadTask | undefined => store.getState().tasks.find((task) => task.key === key);
  const happen = (key: number, event: UploadTaskEvent, to: Partial<UploadTask> = {}): boolean => {
    const task = taskOf(key);
    const state = task === undefined ? null : nextOf(uploadTransitions, task.state, event);
    if (state !== null) change(key, { reason: null, ...to, state });
    return state !== null;
  };
  const drop = (key: number): void => {
    running.get(key)?.abort.abort(new Error('removed'));
    running.delete(key);
    store.setState(({ tasks }) => ({ tasks: tasks.filter((task) => task.key !== key) }));
  };

  async function run(key: number, names: UploadNames, work: Running): Promise<void> {
    const { signal } = work.abort;
    try {
      const { wasThere } = await runUpload(
        { api, names, files: work.picked.files, hashed: work.hashed },
        {
          onRead: (bytes) => change(key, { bytesRead: (taskOf(key)?.bytesRead ?? 0) + bytes }),
          onHashed: (hashed) => {
            work.hashed = hashed;
            happen(key, 'read');
          },
          onSent: (uploadId, sent, length) => {
            happen(key, 'read');
            change(key, { uploadId, sent, length });
          },
          onWaiting: (reason) => void (happen(key, 'lose', { reason }) || change(key, { reason })),
          onRegistering: () => void happen(key, 'sent'),
        },
        signal,
      );
      const task = taskOf(key);
      if (signal.aborted || task === undefined || !happen(key, 'registered')) return;
      drop(key);
      onDone(task, wasThere);
    } catch (error) {
      if (signal.aborted) return;
      const reason = error instanceof SourceError ? error.message : toApiError(error).detail || toApiError(error).title;
      happen(key, 'fail', { reason });
    }
  }

  return {
    store,
    api,
    start: (picked: Picked, names: UploadNames): void => {
      lastKey += 1;
      const key = lastKey;
      const work: Running = { picked, hashed: null, abort: new AbortController() };
      running.set(key, work);
      const begun = { uploadId: null, sent: 0, length: 0, reason: null, bytesRead: 0, bytes: picked.bytes };
      store.setState(({ tasks }) => ({ tasks: [...tasks, { key, names, state: 'reading', ...begun }] }));
      void run(key, names, work);
    },
    pause: (key: number): void => {
      if (happen(key, 'pause')) running.get(key)?.abort.abort(new Error('paused'));
    },
    resume: (key: number): void => {
      const work = running.get(key);
      const task = taskOf(key);
      if (work === undefined || task === undefined) return;
      work.abort.abort(new Error('resumed'));
      if (!happen(key, 'resume', { bytesRead: work.hashed === null ? 0 : task.bytes })) return;
      work.abort = new AbortController();
      void run(key, task.names, work);
    },
    /** Ends it, and removes what the service has of it. */
    giveUp: async (key: number): Promise<void> => {
      const uploadId = taskOf(key)?.uploadId ?? null;
      drop(key);
      if (uploadId !== null) await api.remove(uploadId);
    },
    dismiss: drop,
  };
}
