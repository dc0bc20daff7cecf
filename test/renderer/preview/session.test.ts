import { expect, it, vi } from 'vitest';
import { openPreview } from '../../../src-renderer/preview/session/preview-session.ts';

/** The side of a worker that the page sees. */
class FakeWorker extends EventTarget {
  readonly sent: unknown[] = [];
  isTerminated = false;

  postMessage(message: unknown): void {
    this.sent.push(message);
  }

  terminate(): void {
    this.isTerminated = true;
  }

  say(data: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }
}

function open() {
  const worker = new FakeWorker();
  const told = { onProgress: vi.fn<() => void>(), onOpened: vi.fn<() => void>(), onFailed: vi.fn<() => void>() };
  const session = openPreview({
    url: '/measurements/run-7/files/0',
    name: 'iron.nxs',
    length: 100,
    onlyBytes: false,
    purpose: 'preview',
    ...told,
    startWorker: () => worker as unknown as Worker,
  });
  return { worker, session, told };
}

const content = { format: 'Text', views: ['text'], notes: [], columns: [], picture: null, firstDataset: null };

it('a file that is left ends its worker, and with it what that was reading', async () => {
  const { worker, session, told } = open();
  worker.say({ kind: 'opened', content });
  worker.say({ kind: 'progress', bytesRead: 10, requests: 1, isWaiting: true });
  const asking = session.ask({ kind: 'bytes', offset: 0 });
  session.close();
  expect(worker.isTerminated).toBe(true);
  await expect(asking).rejects.toThrow('The preview is closed.');
  worker.say({ kind: 'progress', bytesRead: 20, requests: 2, isWaiting: false });
  expect(told.onProgress).toHaveBeenCalledTimes(1);
  expect(told.onFailed).not.toHaveBeenCalled();
  await expect(session.ask({ kind: 'bytes', offset: 0 })).rejects.toThrow('The preview is closed.');
});

it('a worker that says nonsense is ended', () => {
  const { worker, told } = open();
  worker.say({ kind: 'opened', content: { ...content, views: ['page'] } });
  expect(worker.isTerminated).toBe(true);
  expect(told.onFailed).toHaveBeenCalledWith(expect.objectContaining({ reason: 'broken' }));
});
