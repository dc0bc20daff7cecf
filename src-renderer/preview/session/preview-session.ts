import type { Answer, Content } from '../messages/content.ts';
import {
  report,
  type Failure,
  type PreviewReport,
  type PreviewRequest,
  type Purpose,
  type Question,
} from '../messages/messages.ts';

/** The file to be shown. */
export interface PreviewTarget {
  /** Address of its bytes on the own origin. */
  readonly url: string;
  readonly name: string;
  /** Bytes. */
  readonly length: number;
  readonly onlyBytes: boolean;
}

export interface PreviewProgress {
  readonly bytesRead: number;
  readonly requests: number;
}

export interface PreviewSessionDeps extends PreviewTarget {
  readonly purpose: Purpose;
  readonly onProgress: (progress: PreviewProgress) => void;
  readonly onOpened: (content: Content) => void;
  /** The session is over; nothing is told after it. */
  readonly onFailed: (failure: Failure) => void;
  readonly startWorker?: () => Worker;
}

/** A question that was not answered. */
class QuestionError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.detail);
    this.failure = failure;
  }
}

export interface PreviewSession {
  /** @throws QuestionError, also for all open questions when the session fails. */
  ask<K extends Question['kind']>(question: Extract<Question, { kind: K }>): Promise<Answer>;
  /** Ends the worker, whatever it does. */
  close(): void;
}

/** A worker that works without a word for this long has got lost: damaged HDF5 can keep its library busy for ever. */
const workLimitMs = 5000;
/** Longer than the worker waits for a response with its repetitions. */
const networkLimitMs = 100_000;

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: QuestionError) => void;
}

function startPreviewWorker(): Worker {
  return new Worker(new URL('../worker/preview-worker.ts', import.meta.url), { type: 'module', name: 'preview' });
}

/** Opens a file in a worker of its own, which ends with the session or when it takes too long. */
export function openPreview(deps: PreviewSessionDeps): PreviewSession {
  const { startWorker = startPreviewWorker, url, name, length, onlyBytes, purpose } = deps;
  const worker = startWorker();
  const waiting = new Map<number, Waiting>();
  let isOpen = true;
  let isOpening = true;
  let isReading = false;
  let lastId = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function close(failure: Failure): void {
    isOpen = false;
    clearTimeout(timer);
    worker.terminate();
    for (const { reject } of waiting.values()) reject(new QuestionError(failure));
    waiting.clear();
  }

  function fail(failure: Failure): void {
    if (!isOpen) return;
    close(failure);
    deps.onFailed(failure);
  }

  /** Begins to count anew, as long as the worker has something to do. */
  function watch(): void {
    clearTimeout(timer);
    if (!isOpen || (!isOpening && waiting.size === 0)) return;
    const limit = isReading ? networkLimitMs : workLimitMs;
    timer = setTimeout(
      () =>
        fail(
          isReading
            ? { reason: 'network', detail: 'The service has not sent the bytes that were asked for. Try again.' }
            : {
                reason: 'broken',
                detail: `Reading the file took longer than ${workLimitMs / 1000} s without an end, so it was stopped.`,
              },
        ),
      limit,
    );
  }

  function receive(message: PreviewReport): void {
    if (message.kind === 'progress') {
      isReading = message.isWaiting;
      deps.onProgress(message);
    } else if (message.kind === 'opened') {
      isOpening = false;
      deps.onOpened(message.content);
    } else if (message.kind === 'failed' && message.id === null) {
      fail(message.failure);
    } else if (message.id !== null) {
      const one = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.kind === 'answer') one?.resolve(message.answer);
      else one?.reject(new QuestionError(message.failure));
    }
    watch();
  }

  const send = (message: PreviewRequest): void => {
    worker.postMessage(message);
    watch();
  };

  worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (!isOpen) return;
    try {
      receive(report(data));
    } catch {
      // A parser that was taken over by its file may say anything.
      fail({ reason: 'broken', detail: 'Reading the file led to nonsense, so it was stopped.' });
    }
  });
  worker.addEventListener('error', () =>
    fail({ reason: 'broken', detail: 'Reading the file stopped without a reason. It may be damaged.' }),
  );
  send({ kind: 'open', url, name, length, onlyBytes, purpose });

  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        if (!isOpen) return reject(new QuestionError({ reason: 'broken', detail: 'The preview is closed.' }));
        lastId += 1;
        waiting.set(lastId, { resolve, reject });
        send({ kind: 'ask', id: lastId, question });
      }),
    close: () => {
      if (isOpen) close({ reason: 'broken', detail: 'The preview is closed.' });
    },
  };
}
