import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { ServiceConfig } from '../../../src-main/service/config/config.ts';
import type { CaptureRule, CaptureRuleInput } from '../../../src-main/service/contract/capture/rules.ts';
import type { CaptureRun, CaptureRunPage } from '../../../src-main/service/contract/capture/runs.ts';
import type { CaptureState } from '../../../src-shared/states/capture-states.ts';
import { asWindow, type Answer } from '../as-window.ts';
import { startTestService, type TestService } from '../start.ts';
import { until } from '../until.ts';

export const lookEveryMs = 60;

/** A rule that waits for `done.txt`. */
export function ruleOf(folder: string, changes: Partial<CaptureRuleInput> = {}): CaptureRuleInput {
  return {
    name: 'bench 3',
    folder,
    unit: 'folder',
    layout: '{name}',
    pattern: null,
    sign: 'marker',
    markers: ['done.txt'],
    unfinished: [],
    minutes: 0,
    ignore: [],
    id_template: '{name}',
    title_template: '{name}',
    fields: [],
    owner: 'alice',
    project: null,
    readers: [],
    notify: [],
    copy: false,
    push_to: null,
    push_project: null,
    existing: false,
    ...changes,
  };
}

export interface InstrumentFolder {
  readonly folder: string;
  write(file: string, content?: string | Buffer): Promise<void>;
  remove(): Promise<void>;
}

/** A folder that an instrument writes into. Runs and files appear in it at once, with all that they have. */
export async function instrumentFolder(): Promise<InstrumentFolder> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'benchport-instrument-'));
  const staging = `${folder}-staging`;
  return {
    folder,
    write: async (file, content = file) => {
      const staged = path.join(staging, file);
      await mkdir(path.dirname(staged), { recursive: true });
      await writeFile(staged, content);
      const parts = file.split('/');
      const paths = parts.map((_part, depth) => path.join(...parts.slice(0, depth + 1)));
      const first = paths.find((one) => !existsSync(path.join(folder, one))) ?? file;
      await rename(path.join(staging, first), path.join(folder, first));
    },
    remove: async () => {
      for (const one of [folder, staging]) await rm(one, { recursive: true, force: true });
    },
  };
}

/** Requests of the window about watched folders. */
export function captureWindow(service: TestService) {
  const call = async (method: string, address: string, body?: object): Promise<Answer> =>
    asWindow(service, method, `/api/v4/local/captures${address}`, body);
  const runs = async (query = ''): Promise<readonly CaptureRun[]> =>
    ((await call('GET', `/runs?limit=200${query}`)).body as CaptureRunPage).items;
  const run = async (name: string): Promise<CaptureRun | undefined> => (await runs()).find((one) => one.name === name);
  const rule = async (id: number): Promise<CaptureRule> => {
    const found = ((await call('GET', '')).body as readonly CaptureRule[]).find((one) => one.id === id);
    if (!found) throw new Error(`there is no rule ${id}`);
    return found;
  };
  const ruleReaches = async (id: number, state: CaptureRule['state']): Promise<CaptureRule> => {
    await until(async () => (await rule(id)).state === state, `the rule is ${state}`);
    return rule(id);
  };
  return {
    call,
    runs,
    run,
    rule,
    ruleReaches,
    add: async (input: CaptureRuleInput): Promise<CaptureRule> => {
      const answer = await call('POST', '', input);
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
      const body = answer.body as CaptureRule;
      return ruleReaches(body.id, 'watching');
    },
    act: async (action: string, ids: readonly number[], more: object = {}) =>
      call('POST', '/runs/actions', { action, ids, ...more }),
    /** Waits until a run is in a state. */
    reaches: async (name: string, state: CaptureState): Promise<CaptureRun> => {
      let last: CaptureRun | undefined;
      await until(async () => {
        last = await run(name);
        return last?.state === state;
      }, `${name} is ${state}`).catch(() => {
        throw new Error(`${name} is ${last?.state ?? 'not there'}: ${last?.reason ?? ''} ${last?.message ?? ''}`);
      });
      if (!last) throw new Error('it is there');
      return last;
    },
  };
}

export interface CaptureScene {
  readonly service: TestService;
  readonly bench: InstrumentFolder;
  readonly window: ReturnType<typeof captureWindow>;
}

/** For each test, a service with its owner alice, and a folder that an instrument writes into. */
export function useCapture(config: Partial<ServiceConfig> = {}): CaptureScene {
  return sceneOf(config, beforeEach, afterEach);
}

/** One scene for all tests of a file, which go on where the test before has ended. */
export function useSharedCapture(config: Partial<ServiceConfig> = {}): CaptureScene {
  return sceneOf(config, beforeAll, afterAll);
}

type Hook = (work: () => Promise<void>) => void;

function sceneOf(config: Partial<ServiceConfig>, begin: Hook, end: Hook): CaptureScene {
  let service: TestService;
  let bench: InstrumentFolder;
  let window: CaptureScene['window'];
  begin(async () => {
    service = await startTestService({ lookEveryMs, database: null, ...config });
    await service.user('alice', true);
    bench = await instrumentFolder();
    window = captureWindow(service);
  });
  end(async () => {
    await service.end();
    await bench.remove();
  });
  return {
    get service() {
      return service;
    },
    get bench() {
      return bench;
    },
    get window() {
      return window;
    },
  };
}
