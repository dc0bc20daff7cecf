import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createResponseWatch } from '../../../src-renderer/api/requests/response-watch.ts';
import { createApi } from '../../../src-renderer/api/requests/request.ts';
import { ApiError } from '../../../src-renderer/api/requests/problem.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A fetch that never responds until it is aborted. */
const never: typeof fetch = (_input, init) =>
  new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError'))));

function hung(probe: () => Promise<unknown> = () => new Promise(() => {})) {
  const onSilence = vi.fn();
  const answers = createResponseWatch({ probe, onSilence });
  return { onSilence, answers, api: createApi({ csrfToken: () => null, fetchLike: never, responseWatch: answers }) };
}

async function failure(promise: Promise<unknown>): Promise<ApiError> {
  return promise.then(
    () => new ApiError({ title: 'answered', detail: '', status: 200, requestId: null }),
    (error: unknown) => error as ApiError,
  );
}

test('U1: silence is reported after two seconds, and ends with the first sign of life', async () => {
  const { onSilence, answers, api } = hung();
  void failure(api.json('/api/v4/users'));
  await vi.advanceTimersByTimeAsync(1750);
  expect(onSilence).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(500);
  expect(onSilence).toHaveBeenCalledWith(expect.objectContaining({ writes: false }));
  answers.heard();
  expect(onSilence).toHaveBeenLastCalledWith(null);
});

test('U1: one slow request of a service that answers its probes is no silence, and still ends', async () => {
  const { onSilence, api } = hung(async () => {});
  const read = failure(api.json('/api/v4/users'));
  await vi.advanceTimersByTimeAsync(119_000);
  expect(onSilence).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2000);
  expect((await read).type).toBe('no-answer');
});

test('U1: a read is aborted after 20 s of silence, a write after 60 s with the note that its outcome is unknown', async () => {
  const { onSilence, api } = hung();
  const read = failure(api.json('/api/v4/users'));
  const write = failure(api.json('/api/v4/users', { method: 'POST', body: {} }));
  await vi.advanceTimersByTimeAsync(20_500);
  expect((await read).title).toBe('The service has not answered for 20 s');
  expect(onSilence).toHaveBeenLastCalledWith(expect.objectContaining({ writes: true }));
  await vi.advanceTimersByTimeAsync(40_000);
  expect((await write).detail).toContain('This may or may not have been carried out');
});

test('U1: time that the machine slept is no silence', async () => {
  const { onSilence, api } = hung();
  void failure(api.json('/api/v4/users'));
  await vi.advanceTimersByTimeAsync(250);
  vi.setSystemTime(Date.now() + 3_600_000);
  await vi.advanceTimersByTimeAsync(250);
  expect(onSilence).not.toHaveBeenCalled();
});

test('U6: probes behind slow requests are no silence while heartbeats arrive, and silence without them', async () => {
  const { onSilence, answers, api } = hung();
  answers.heardEvent();
  for (let request = 0; request < 6; request += 1) void failure(api.json(`/api/v4/users/${request}`));
  for (let second = 0; second < 15; second += 5) {
    await vi.advanceTimersByTimeAsync(5000);
    expect(onSilence).not.toHaveBeenCalled();
    answers.heardEvent();
  }
  await vi.advanceTimersByTimeAsync(6000);
  expect(onSilence).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1000);
  expect(onSilence).toHaveBeenCalledWith(expect.objectContaining({ writes: false }));
  answers.heardEvent();
  expect(onSilence).toHaveBeenLastCalledWith(null);
});
