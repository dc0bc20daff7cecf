import type { ErrorEvent, ErrorSummary, StackFrame } from '../../../src-main/service/contract/errors.ts';
import type { Project } from '../../../src-main/service/contract/projects.ts';

export const hour = 3600_000;
export const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();
const idOf = (number: number): string => number.toString(16).padStart(32, '0');

/** Texts that a sender may craft to be interpreted. */
export const hostile =
  '<img src=x onerror="document.title=1"> \u202Egnp.exe\u202C \u0000 [link](javascript:alert(1)) ```\n# heading';

export interface FakeErrorOptions {
  readonly errors?: number;
  /** Without hostile texts, for screenshots. */
  readonly hostile?: false;
  readonly dropped?: boolean;
  readonly role?: Project['role'];
  readonly active?: boolean;
  readonly integrated?: boolean;
  readonly projects?: boolean;
}

export function projectsOf(options: FakeErrorOptions): Project[] {
  const role = options.role === undefined ? 'maintainer' : options.role;
  const project = (id: number, path: string, name: string): Project => ({
    id,
    path,
    path_with_namespace: path,
    name,
    monitor: true,
    role,
    may_manage: role === 'maintainer' || role === 'owner',
    error_tracking: { active: options.active ?? true, integrated: options.integrated ?? true, unresolved: 5 },
    created_at: ago(90 * 24 * hour),
  });
  return options.projects === false
    ? []
    : [project(1, 'beamtime/2026-3', 'Beam time 2026-3'), project(2, 'lab/qmr', 'Quantum magnetometry')];
}

const kinds = [
  {
    type: 'DetectorTimeout',
    value: 'no frame for 5.0 s from detector 2',
    culprit: 'acquire in bench/acquire.py',
    level: 'error',
    platform: 'python',
  },
  {
    type: 'ValueError',
    value: 'field out of range: 14.2 T',
    culprit: 'set_field in bench/magnet.py',
    level: 'warning',
    platform: 'python',
  },
  {
    type: 'OutOfMemoryError',
    value: 'Java heap space',
    culprit: 'org.lab.viewer.Tile.decode',
    level: 'fatal',
    platform: 'java',
  },
  { type: '', value: 'the shutter did not close', culprit: 'shutter', level: 'info', platform: 'native' },
] as const;

export function summaryOf(number: number, options: FakeErrorOptions): ErrorSummary {
  const kind = kinds[number % kinds.length] ?? kinds[0];
  const bad = number === 4 && options.hostile !== false;
  return {
    id: String(number),
    title: bad ? hostile : kind.type === '' ? kind.value : `${kind.type}: ${kind.value}`,
    type: bad ? 'Hostile\u202Eexe.gpj' : kind.type,
    value: bad ? hostile : kind.value,
    culprit: kind.culprit,
    level: kind.level,
    platform: kind.platform,
    status: number % 7 === 6 ? 'resolved' : number % 11 === 10 ? 'ignored' : 'unresolved',
    regressed: number === 2,
    events: (options.errors ?? 0) * 7 - number * 3 + 4000,
    users: number % 5,
    first_seen: ago(number * 9 * hour + 3 * hour),
    last_seen: ago(number * 6 * 60_000),
    first_release: 'qmr@1.4.0',
    last_release: number % 3 === 0 ? null : 'qmr@1.4.2',
    hours: Array.from({ length: 24 }, (_, at) => (number * 7 + at * 13) % 17 ** (1 + (at % 2))),
  };
}

const frame = (more: Partial<StackFrame>): StackFrame => ({
  function: 'run',
  module: 'lib.loop',
  filename: 'lib/loop.py',
  abs_path: '/opt/python/lib/loop.py',
  line: 88,
  column: null,
  in_app: false,
  pre_context: [],
  context_line: null,
  post_context: [],
  vars: null,
  ...more,
});

export function eventOf(error: ErrorSummary, number: number): ErrorEvent {
  const at = Date.now() - (3 - number) * 40 * 60_000;
  return {
    event_id: idOf(Number(error.id) * 1000 + number),
    received_at: new Date(at + 1500).toISOString(),
    occurred_at: new Date(at).toISOString(),
    level: 'error',
    platform: error.platform,
    environment: 'bench-3',
    release: error.last_release,
    server_name: 'bench-3.lab.example',
    logger: 'bench.acquire',
    transaction: 'acquire',
    message:
      error.type === '' ? { formatted: error.value, template: 'the %s did not close', params: ['shutter'] } : null,
    exceptions:
      error.type === ''
        ? []
        : [
            {
              type: 'ConnectionResetError',
              value: '[Errno 104] Connection reset by peer',
              module: null,
              handled: null,
              synthetic: false,
              frames: [frame({}), frame({ function: 'recv', line: 12 })],
            },
            {
              type: error.type,
              value: error.value,
              module: 'bench.errors',
              handled: false,
              synthetic: false,
              frames: [
                frame({
                  function: 'main',
                  filename: 'bench/main.py',
                  abs_path: '/srv/bench/main.py',
                  line: 14,
                  in_app: true,
                  context_line: '    run(loop)',
                  pre_context: ['def main():'],
                  post_context: [''],
                }),
                frame({ function: '_run_once' }),
                frame({
                  function: 'acquire',
                  filename: 'bench/acquire.py',
                  abs_path: '/srv/bench/acquire.py',
                  line: 42,
                  column: 7,
                  in_app: true,
                  pre_context: [
                    'def acquire(detector, seconds):',
                    '    frame = detector.wait(seconds)',
                    '    if frame is None:',
                  ],
                  context_line:
                    '        raise DetectorTimeout(f"no frame for {seconds} s from detector {detector.number}, which is a long line of code to scroll")',
                  post_context: ['    return frame', ''],
                  vars: { detector: '<Detector 2>', seconds: 5, frame: null, settings: { gain: 4, mode: hostile } },
                }),
              ],
            },
          ],
    threads:
      error.platform === 'java'
        ? [
            {
              id: '1',
              name: 'main',
              crashed: true,
              current: true,
              frames: [frame({ in_app: true, function: 'decode' })],
            },
          ]
        : [],
    breadcrumbs: [
      {
        timestamp: new Date(at - 65_000).toISOString(),
        type: 'http',
        category: 'httplib',
        level: 'info',
        message: null,
        data: { url: 'http://detector-2.lab.example/arm', status_code: 200 },
      },
      {
        timestamp: new Date(at - 5020).toISOString(),
        type: 'default',
        category: 'bench.detector',
        level: 'warning',
        message: `slow answer ${hostile}`,
        data: null,
      },
      {
        timestamp: new Date(at - 12).toISOString(),
        type: 'default',
        category: 'bench.detector',
        level: 'error',
        message: 'no frame',
        data: null,
      },
    ],
    tags: [
      ['environment', 'bench-3'],
      ['instrument', 'afm 2'],
      ['level', 'error'],
    ],
    user: { id: '7', username: 'bob', email: null, ip_address: '192.168.4.17', more: {} },
    request: { url: 'http://bench-3.lab.example/acquire', method: 'POST', headers: { 'User-Agent': 'curl/8.14.1' } },
    contexts: { runtime: { name: 'CPython', version: '3.13.1' }, os: { name: 'Linux', version: '6.12' } },
    extra: { note: hostile },
    modules: { numpy: '2.3.1', 'sentry-sdk': '1.21.0' },
    sdk: { name: 'sentry.python', version: '1.21.0' },
    fingerprint: ['{{ default }}'],
    shortened: number === 1,
  };
}
