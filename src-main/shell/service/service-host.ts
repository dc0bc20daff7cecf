import { utilityProcess } from 'electron';
import { fork } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { FromService, ToService } from '../../service/process/host-protocol.ts';
import { serviceArguments, serviceVariables } from './service-arguments.ts';

/** The service as a separate process, of whichever kind this runtime supports. */
export interface ServiceProcess {
  readonly pid: number | undefined;
  readonly output: readonly Readable[];
  send(message: ToService): void;
  onMessage(listener: (message: FromService) => void): void;
  onExit(listener: (code: number | null) => void): void;
  kill(): void;
}

/** Minimum Node-API version of the service's database library. */
const neededNodeApi = 10;

/**
 * Starts the service in a utility process. The development runtime's Electron is too old for that;
 * there the service runs as a child process on the given Node.
 */
export function startServiceProcess(entry: string, developmentNode: string | undefined): ServiceProcess {
  if (Number(process.versions['napi']) >= neededNodeApi) return utility(entry);
  if (!developmentNode)
    throw new Error(
      `This Electron is too old to run the service (Node-API ${process.versions['napi']}, ${neededNodeApi} is needed). Start it with "npm start".`,
    );
  return child(entry, developmentNode);
}

function utility(entry: string): ServiceProcess {
  const started = utilityProcess.fork(entry, [], {
    serviceName: 'benchport-service',
    stdio: 'pipe',
    execArgv: [...serviceArguments],
    env: serviceEnvironment(),
  });
  return {
    get pid() {
      return started.pid;
    },
    output: [started.stdout, started.stderr].filter((stream) => stream !== null) as unknown as Readable[],
    send: (message) => {
      started.postMessage(message);
    },
    onMessage: (listener) => {
      started.on('message', listener);
    },
    onExit: (listener) => {
      started.once('exit', listener);
    },
    kill: () => {
      started.kill();
    },
  };
}

function child(entry: string, node: string): ServiceProcess {
  const started = fork(entry, [], {
    execPath: node,
    execArgv: [...serviceArguments],
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: serviceEnvironment(),
  });
  return {
    pid: started.pid,
    output: [started.stdout, started.stderr].filter((stream) => stream !== null),
    send: (message) => {
      // A failed send means that the process has ended, which the exit event reports.
      started.send(message, () => {});
    },
    onMessage: (listener) => {
      started.on('message', (message) => {
        listener(message as FromService);
      });
    },
    onExit: (listener) => {
      started.once('exit', listener);
      started.once('error', () => listener(null));
    },
    kill: () => {
      started.kill('SIGKILL');
    },
  };
}

/** This process's environment without the variables that change how Node starts. */
function serviceEnvironment(): Record<string, string> {
  const left = Object.entries(process.env).filter(
    ([name, value]) => value !== undefined && name !== 'NODE_OPTIONS' && name !== 'ELECTRON_RUN_AS_NODE',
  );
  return { ...(Object.fromEntries(left) as Record<string, string>), ...serviceVariables };
}
