import { execFile } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { createWorkerClient, type WorkerClientOptions } from '../../../src-main/service/workers/worker-client.ts';
import { RemoteError, WorkerEndedError } from '../../../src-main/service/workers/worker-errors.ts';
import { nextWorker } from './next-worker.ts';
import type { TestCaller, TestMethods } from './test-methods.ts';

const file = path.join(import.meta.dirname, 'test-worker.ts');
const run = promisify(execFile);
const seen: number[] = [];
const ends: (() => Promise<void>)[] = [];

function client(options: Partial<WorkerClientOptions> = {}) {
  const thread = createWorkerClient<TestMethods, TestCaller>(
    { file, name: 'test', ...options },
    {
      double: async (value) => {
        if (value < 0) throw new Error('it is negative');
        return value * 2;
      },
      seen: (value) => void seen.push(value),
    },
  );
  ends.push(async () => thread.close(new Error('the test has ended')));
  return thread;
}

afterEach(async () => {
  seen.length = 0;
  await Promise.all(ends.splice(0).map(async (end) => end()));
});

describe('calls', () => {
  it('are answered each by its own result, in whatever order they end', async () => {
    const thread = client();
    const { signal } = new AbortController();
    const slow = thread.call('finish', [50, signal]);
    expect(await Promise.all([thread.call('add', [1, 2]), thread.call('add', [20, 3])])).toEqual([3, 23]);
    expect(await slow).toBe(false);
  });

  it('fail with the message, the stack and the code of what was thrown', async () => {
    const thread = client();
    const error = await thread.call('fail', ['ENOSPC']).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(RemoteError);
    expect(error).toMatchObject({ message: 'it cannot be', code: 'ENOSPC' });
    expect((error as Error).stack).toMatch(/TypeError: it cannot be\n.*test-worker/);
    await expect(thread.call('fail', [null])).rejects.toMatchObject({ code: '' });
  });

  it('fail when a result, or an argument, cannot be cloned, and leave nothing behind', async () => {
    const thread = client({ idleMs: 300 });
    const started = nextWorker('test');
    await expect(thread.call('note', [(() => {}) as unknown as string])).rejects.toThrow(/could not be cloned/);
    await expect(thread.call('give', ['function'])).rejects.toThrow(/could not be cloned/);
    const exit = once(await started, 'exit');
    expect(await thread.call('add', [1, 1])).toBe(2);
    // A call that was still counted would keep the thread.
    await exit;
  });

  it('transfer buffers, and give the thread its data', async () => {
    const thread = client({ workerData: () => 'data' });
    const bytes = new Uint8Array(1000);
    expect(await thread.call('measure', [bytes], [bytes.buffer])).toEqual({ length: 1000, data: 'data' });
    expect(bytes.length).toBe(0);
  });

  it('go in the other direction as well, and notifications go both ways in order', async () => {
    const failures: string[] = [];
    const thread = client({ onError: (error, method) => failures.push(`${method}: ${String(error)}`) });
    // Nobody is there yet to note it.
    thread.notify('note', ['too early']);
    thread.start();
    thread.notify('note', ['one']);
    thread.notify('note', ['two']);
    expect(await thread.call('ask', [[4, -1, 5]])).toEqual({
      notes: ['one', 'two'],
      doubled: [8, 'it is negative', 10],
    });
    expect(seen).toEqual([4, -1, 5]);
    expect(failures).toEqual(['double: Error: it is negative']);
  });
});

describe('an aborted call', () => {
  it('fails with the reason when the method gives up, and not before', async () => {
    const thread = client();
    const stop = new AbortController();
    const waiting = thread.call('wait', [stop.signal]);
    const finishing = thread.call('finish', [30, stop.signal]);
    await thread.call('add', [0, 0]);
    const reason = new Error('no longer wanted');
    stop.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    // This one does what it was called for and tells.
    expect(await finishing).toBe(true);
    await expect(thread.call('wait', [stop.signal])).rejects.toBe(reason);
  });

  it('ends a thread that hangs, and with it what else runs there; the next call finds a new one', async () => {
    const thread = client({ abortTimeoutMs: 100 });
    await thread.call('add', [0, 0]);
    const [stop, other] = [new AbortController(), new AbortController()];
    const calls = [thread.call('wait', [other.signal]), thread.call('hang', [stop.signal])];
    stop.abort(new Error('no longer wanted'));
    for (const { reason } of (await Promise.allSettled(calls)) as PromiseRejectedResult[]) {
      expect(reason).toBeInstanceOf(WorkerEndedError);
      expect((reason as Error).message).toBe('the thread test has ended: Error: it did not stop in time');
    }
    expect(await thread.call('add', [1, 2])).toBe(3);
  });
});

describe('a thread that dies', () => {
  const deaths = {
    'is killed': 'the thread test has ended',
    exits: 'the thread test has ended',
    throws: 'the thread test has ended: RangeError: out of its mind',
  };
  for (const [death, message] of Object.entries(deaths)) {
    it(`and ${death} fails all that waits with one error; the next call starts another`, async () => {
      const thread = client();
      const started = nextWorker('test');
      await thread.call('add', [0, 0]);
      const { signal } = new AbortController();
      const calls: Promise<unknown>[] = [thread.call('wait', [signal]), thread.call('finish', [60_000, signal])];
      if (death === 'is killed') await (await started).terminate();
      else calls.push(thread.call(death === 'exits' ? 'exit' : 'crash', []));
      for (const one of (await Promise.allSettled(calls)) as PromiseRejectedResult[]) {
        expect(one.reason).toBeInstanceOf(WorkerEndedError);
        expect((one.reason as Error).message).toBe(message);
      }
      expect(await thread.call('add', [2, 2])).toBe(4);
    });
  }
});

describe('closing', () => {
  it('refuses what waits and what comes later', async () => {
    const thread = client();
    const { signal } = new AbortController();
    const waiting = thread.call('wait', [signal]);
    const reason = new Error('closed');
    const closing = thread.close(reason);
    await expect(waiting).rejects.toBe(reason);
    await closing;
    await expect(thread.call('add', [1, 1])).rejects.toBe(reason);
    thread.start();
    thread.notify('note', ['nobody is there']);
  });

  it('gives what was aborted time to end, but not for ever', async () => {
    const thread = client();
    const stop = new AbortController();
    const [finishing, hanging] = [thread.call('finish', [100, stop.signal]), client().call('hang', [stop.signal])];
    hanging.catch(() => {});
    await thread.call('add', [0, 0]);
    stop.abort();
    await thread.close(new Error('closed'), 60_000);
    expect(await finishing).toBe(true);

    const hung = client();
    const never = hung.call('hang', [new AbortController().signal]);
    const reason = new Error('closed');
    await Promise.all([expect(never).rejects.toBe(reason), hung.close(reason, 50)]);
  });
});

describe('the process', () => {
  /** The output of a process that runs `code` with a client until it ends by itself. */
  async function output(code: string): Promise<string> {
    const source = new URL('../../../src-main/service/workers/worker-client.ts', import.meta.url);
    const script = `
      const { createWorkerClient } = await import(${JSON.stringify(source.href)});
      const thread = createWorkerClient({ file: ${JSON.stringify(file)}, name: 'test' }, {});
      const stop = new AbortController();
      ${code}`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], { timeout: 60_000 });
    return stdout;
  }

  it('lives on for a call, and not for a thread without one', async () => {
    expect(await output("thread.call('add', [2, 3]).then((sum) => console.log(sum));")).toBe('5\n');
  });

  it('does not wait for an aborted call', async () => {
    const code = `
      await thread.call('add', [0, 0]);
      thread.call('finish', [600_000, stop.signal]).then(() => console.log('waited'));
      stop.abort();
      console.log('aborted');`;
    expect(await output(code)).toBe('aborted\n');
  });
});
