import type {
  FromService,
  PowerEvent,
  StartFailure,
  StartOptions,
  ToService,
} from '../../service/process/host-protocol.ts';

/** State of the service. `failed` waits for the user; `restarting` continues by itself. */
export type ServiceState =
  | { readonly kind: 'starting'; readonly message?: string }
  | { readonly kind: 'ready'; readonly url: string }
  | { readonly kind: 'restarting'; readonly delayMs: number }
  | { readonly kind: 'failed'; readonly code: StartFailure; readonly message: string }
  | { readonly kind: 'stopped' };

/** The part of a service process that the supervisor needs. */
export interface SupervisedProcess {
  send(message: ToService): void;
  onMessage(listener: (message: FromService) => void): void;
  onExit(listener: (code: number | null) => void): void;
  kill(): void;
}

/** Starts the service, restarts it after a crash, and stops it. */
export interface ServiceSupervisor {
  readonly state: ServiceState;
  start(): void;
  /** Asks the service to stop and resolves when it has ended; kills it after a timeout. */
  stop(): Promise<void>;
  onChange(listener: (state: ServiceState) => void): void;
  /** Tells the service what happens to the computer; one that does not run is told nothing. */
  tellPower(event: PowerEvent): void;
}

/** Times in milliseconds. */
export interface SupervisorLimits {
  readonly readyTimeoutMs: number;
  readonly stopTimeoutMs: number;
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
  /** After this uptime the start counts as successful: the next crash is counted as the first. */
  readonly steadyAfterMs: number;
  /** After this many crashes in a row, restarting is given up. */
  readonly maxCrashes: number;
}

export const defaultSupervisorLimits: SupervisorLimits = {
  readyTimeoutMs: 20_000,
  stopTimeoutMs: 5_000,
  firstDelayMs: 250,
  maxDelayMs: 8_000,
  steadyAfterMs: 60_000,
  maxCrashes: 6,
};

/** Supervises the processes that `spawn` starts. */
export function superviseService(
  spawn: () => SupervisedProcess,
  options: StartOptions,
  limits: SupervisorLimits = defaultSupervisorLimits,
): ServiceSupervisor {
  const listeners: ((state: ServiceState) => void)[] = [];
  let state: ServiceState = { kind: 'stopped' };
  let running: SupervisedProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let crashes = 0;
  let restartOnExit = false;
  let onStopped: (() => void) | undefined;

  function change(next: ServiceState): void {
    state = next;
    for (const listener of listeners) listener(next);
  }

  function schedule(delayMs: number, action: () => void): void {
    clearTimeout(timer);
    timer = setTimeout(action, delayMs);
  }

  function start(): void {
    if (onStopped) return;
    if (running) {
      // A process that reported a failure is about to exit; it is restarted then.
      restartOnExit = state.kind === 'failed';
      return;
    }
    restartOnExit = false;
    change({ kind: 'starting' });
    let started: SupervisedProcess;
    try {
      started = spawn();
    } catch (error) {
      change({ kind: 'failed', code: 'unexpected', message: error instanceof Error ? error.message : String(error) });
      return;
    }
    running = started;
    started.onMessage((message) => {
      if (running === started) receive(message);
    });
    started.onExit(() => {
      if (running === started) exited();
    });
    schedule(limits.readyTimeoutMs, () => started.kill());
    started.send({ type: 'start', options });
  }

  function receive(message: FromService): void {
    if (onStopped) return;
    if (message.type === 'ready') {
      schedule(limits.steadyAfterMs, () => {
        crashes = 0;
      });
      change({ kind: 'ready', url: message.url });
    } else if (message.type === 'failed') {
      clearTimeout(timer);
      change({ kind: 'failed', code: message.code, message: message.message });
    } else if (message.type === 'progress') {
      schedule(limits.readyTimeoutMs, () => running?.kill());
      change({ kind: 'starting', message: message.message });
    } else if (message.type === 'restart') void stop().then(start);
  }

  function exited(): void {
    running = undefined;
    clearTimeout(timer);
    if (onStopped) {
      onStopped();
      return;
    }
    if (restartOnExit) {
      start();
      return;
    }
    if (state.kind === 'failed') return;
    crashes += 1;
    if (crashes >= limits.maxCrashes) {
      crashes = 0;
      change({
        kind: 'failed',
        code: 'unexpected',
        message: `The service ended unexpectedly ${limits.maxCrashes} times in a row. See its log in the data directory.`,
      });
      return;
    }
    const delayMs = Math.min(limits.firstDelayMs * 2 ** (crashes - 1), limits.maxDelayMs);
    change({ kind: 'restarting', delayMs });
    schedule(delayMs, start);
  }

  async function stop(): Promise<void> {
    clearTimeout(timer);
    const last = running;
    if (last && !onStopped) {
      await new Promise<void>((resolve) => {
        onStopped = resolve;
        schedule(limits.stopTimeoutMs, () => last.kill());
        last.send({ type: 'stop' });
      });
      clearTimeout(timer);
      onStopped = undefined;
    }
    change({ kind: 'stopped' });
  }

  return {
    get state() {
      return state;
    },
    start,
    stop,
    onChange: (listener) => {
      listeners.push(listener);
    },
    tellPower: (event) => {
      if (state.kind === 'ready') running?.send({ type: 'power', event });
    },
  };
}
