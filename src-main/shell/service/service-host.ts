import { utilityProcess } from 'electron';
import { fork } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { FromService, ToService } from '../../service/process/host-protocol.ts';
import { serviceArguments, serviceVariables } from './service-arguments.ts';

/** The service as a process of its own, whichever kind of process this runtime can run it in. */
export interface ServiceProcess {
  readonly pid: number | undefined;
  readonly output: readonly Readable[];
  send(message: ToService): void;
  onMessage(listener: (message: FromService) => void): void;
  onExit(listener: (code: number | null) => void): void;
  kill(): void;
}

/** The service's database library needs this Node-API at least. */
const neededNodeApi = 10;

/**
 * Starts the service in a utility process. The development runtime is too old for that; there a Node of the
 * development tools, named by whoever started us, runs it as a child process.
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
      // A send that comes too late is no failure of its own: the exit is reported.
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

/** Our environment without what would change how the service's own process starts. */
function serviceEnvironment(): Record<string, string> {
  const left = Object.entries(process.env).filter(
    ([name, value]) => value !== undefined && name !== 'NODE_OPTIONS' && name !== 'ELECTRON_RUN_AS_NODE',
  );
  return { ...(Object.fromEntries(left) as Record<string, string>), ...serviceVariables };
}
