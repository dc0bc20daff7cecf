import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { FromService, StartOptions, ToService } from '../../src-main/service/process/host-protocol.ts';
import {
  superviseService,
  defaultSupervisorLimits,
  type ServiceState,
  type SupervisedProcess,
} from '../../src-main/shell/service/service-supervisor.ts';

const options: StartOptions = {
  dataDir: '/d',
  socketPath: '/s',
  secret: 'x',
  host: '127.0.0.1',
  port: 0,
  assetsDir: '/a',
  rendererDir: '/r',
};

/** A process controlled by the test. */
class FakeProcess implements SupervisedProcess {
  readonly received: ToService[] = [];
  killed = false;
  #onMessage: (message: FromService) => void = () => {};
  #onExit: (code: number | null) => void = () => {};

  send(message: ToService): void {
    this.received.push(message);
  }

  onMessage(listener: (message: FromService) => void): void {
    this.#onMessage = listener;
  }

  onExit(listener: (code: number | null) => void): void {
    this.#onExit = listener;
  }

  kill(): void {
    this.killed = true;
    this.exit(null);
  }

  say(message: FromService): void {
    this.#onMessage(message);
  }

  becomeReady(): void {
    this.say({ type: 'ready', url: 'http://127.0.0.1:7420', socketPath: '/s', version: '1' });
  }

  exit(code: number | null): void {
    this.#onExit(code);
  }
}

function arrange() {
  const processes: FakeProcess[] = [];
  const states: ServiceState[] = [];
  const supervisor = superviseService(() => {
    const started = new FakeProcess();
    processes.push(started);
    return started;
  }, options);
  supervisor.onChange((state) => states.push(state));
  supervisor.start();
  const latest = (): FakeProcess => {
    const last = processes.at(-1);
    if (!last) throw new Error('nothing was started');
    return last;
  };
  return { supervisor, processes, states, latest };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('a service gets its start message and is ready when it says so', () => {
  const { supervisor, latest, states } = arrange();
  expect(latest().received).toEqual([{ type: 'start', options }]);
  latest().becomeReady();
  expect(supervisor.state).toEqual({ kind: 'ready', url: 'http://127.0.0.1:7420' });
  expect(states.map((state) => state.kind)).toEqual(['starting', 'ready']);
});

it('a service that is not ready in time is killed and restarted', () => {
  const { processes, latest, supervisor } = arrange();
  vi.advanceTimersByTime(defaultSupervisorLimits.readyTimeoutMs - 1);
  expect(latest().killed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(processes[0]?.killed).toBe(true);
  expect(supervisor.state.kind).toBe('restarting');
  vi.advanceTimersByTime(defaultSupervisorLimits.firstDelayMs);
  expect(processes).toHaveLength(2);
});

it('each crash in a row doubles the delay, and the sixth is a failure', () => {
  const { supervisor, processes, latest, states } = arrange();
  for (let crash = 1; crash < defaultSupervisorLimits.maxCrashes; crash += 1) {
    latest().exit(1);
    vi.advanceTimersByTime(defaultSupervisorLimits.maxDelayMs);
    expect(processes).toHaveLength(crash + 1);
  }
  expect(states.filter((state) => state.kind === 'restarting').map((state) => state.delayMs)).toEqual([
    250, 500, 1000, 2000, 4000,
  ]);
  latest().exit(1);
  expect(supervisor.state).toMatchObject({ kind: 'failed', code: 'unexpected' });
  vi.advanceTimersByTime(60_000);
  expect(processes).toHaveLength(defaultSupervisorLimits.maxCrashes);
});

it('a service that ran steadily resets the count', () => {
  const { latest, states } = arrange();
  latest().exit(1);
  vi.advanceTimersByTime(defaultSupervisorLimits.firstDelayMs);
  latest().becomeReady();
  vi.advanceTimersByTime(defaultSupervisorLimits.steadyAfterMs);
  latest().exit(1);
  expect(states.at(-1)).toEqual({ kind: 'restarting', delayMs: defaultSupervisorLimits.firstDelayMs });
});

it('a service that says it cannot start is not restarted until the user asks', () => {
  const { supervisor, processes, latest } = arrange();
  latest().say({ type: 'failed', code: 'port-in-use', message: 'Port 7420 is taken.' });
  latest().exit(1);
  vi.advanceTimersByTime(60_000);
  expect(processes).toHaveLength(1);
  expect(supervisor.state).toEqual({ kind: 'failed', code: 'port-in-use', message: 'Port 7420 is taken.' });
  supervisor.start();
  expect(processes).toHaveLength(2);
  latest().becomeReady();
  expect(supervisor.state.kind).toBe('ready');
});

it('a retry before a failed service has ended waits for its end', () => {
  const { supervisor, processes, latest } = arrange();
  latest().say({ type: 'failed', code: 'data-in-use', message: 'Another Benchport has this data directory.' });
  supervisor.start();
  expect(processes).toHaveLength(1);
  latest().exit(1);
  expect(processes).toHaveLength(2);
});

it('a process that cannot be created is a failure with its reason', () => {
  const supervisor = superviseService(() => {
    throw new Error('no Node to run it');
  }, options);
  supervisor.start();
  expect(supervisor.state).toEqual({ kind: 'failed', code: 'unexpected', message: 'no Node to run it' });
});

it('stopping asks the service, waits for the end, and does not restart it', async () => {
  const { supervisor, processes, latest } = arrange();
  latest().becomeReady();
  let stopped = false;
  const stopping = supervisor.stop().then(() => (stopped = true));
  expect(latest().received.at(-1)).toEqual({ type: 'stop' });
  await vi.advanceTimersByTimeAsync(defaultSupervisorLimits.stopTimeoutMs - 1);
  expect(stopped).toBe(false);
  latest().exit(0);
  await stopping;
  expect(supervisor.state.kind).toBe('stopped');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(processes).toHaveLength(1);
});

it('a service that does not stop is killed after five seconds', async () => {
  const { supervisor, latest } = arrange();
  latest().becomeReady();
  const stopping = supervisor.stop();
  await vi.advanceTimersByTimeAsync(defaultSupervisorLimits.stopTimeoutMs);
  await stopping;
  expect(latest().killed).toBe(true);
});

it('stopping between two starts ends the waiting', async () => {
  const { supervisor, processes, latest } = arrange();
  latest().exit(1);
  await supervisor.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(processes).toHaveLength(1);
});

it('what happens to the computer is told to a service that is ready', () => {
  const { supervisor, processes } = arrange();
  supervisor.start();
  const [first] = processes;
  supervisor.tellPower('suspend');
  expect(first?.received.filter(({ type }) => type === 'power')).toEqual([]);
  first?.becomeReady();
  supervisor.tellPower('suspend');
  supervisor.tellPower('resume');
  expect(first?.received.filter(({ type }) => type === 'power')).toEqual([
    { type: 'power', event: 'suspend' },
    { type: 'power', event: 'resume' },
  ]);
});

it('a long start may take as long as the service reports progress', () => {
  const { supervisor, latest } = arrange();
  for (let step = 0; step < 3; step += 1) {
    vi.advanceTimersByTime(defaultSupervisorLimits.readyTimeoutMs - 1);
    latest().say({ type: 'progress', message: `step ${step}` });
  }
  expect(supervisor.state).toEqual({ kind: 'starting', message: 'step 2' });
  expect(latest().killed).toBe(false);
  vi.advanceTimersByTime(defaultSupervisorLimits.readyTimeoutMs);
  expect(latest().killed).toBe(true);
});

it('a service that requests a restart is stopped and restarted, which is no crash', async () => {
  const { processes, latest, states } = arrange();
  latest().becomeReady();
  latest().say({ type: 'restart' });
  expect(latest().received.at(-1)).toEqual({ type: 'stop' });
  latest().exit(0);
  await vi.advanceTimersByTimeAsync(0);
  expect(processes).toHaveLength(2);
  latest().becomeReady();
  expect(states.map((state) => state.kind)).toEqual(['starting', 'ready', 'stopped', 'starting', 'ready']);
});
