import path from 'node:path';
import type { BackupState } from '../../../src-main/service/contract/backups.ts';
import type { Inspection, Job } from '../../../src-main/service/contract/jobs.ts';
import { answer, refused, type FakeAnswer } from './fake-answer.ts';
import type { FakeMeasurements } from './fake-measurements.ts';

export interface FakeLocalOptions {
  /** Backups as the service reports them; none by default. */
  readonly backups?: Partial<BackupState>;
  readonly badBackup?: boolean;
}

export interface FakeLocal {
  readonly backups: () => BackupState;
  /** Answers requests that only the window may send. */
  answer(method: string, rest: string, body: Body): FakeAnswer;
}

type Body = Readonly<Record<string, string | undefined>>;

const defaultIgnored: readonly string[] = ['.DS_Store', '._*', 'Thumbs.db', '*.tmp'];

/** Registration, backups and the ignore list, as the window has them. */
export function fakeLocal(
  { backups: told = {}, badBackup = false }: FakeLocalOptions,
  measurements: FakeMeasurements,
  addJob: (job: Partial<Job> & Pick<Job, 'kind' | 'measurement_id'>) => Job,
): FakeLocal {
  let ignored = defaultIgnored;
  let backups: BackupState = {
    last: null,
    failed: null,
    schedule: null,
    moved: null,
    move_failed: null,
    restored: null,
    ...told,
  };

  function post(rest: string, body: Body): FakeAnswer {
    if (rest === 'inspect') {
      const dropped = String(body['path']);
      const isBroken = dropped.includes('broken');
      const inspection: Inspection = {
        path: dropped,
        kind: dropped.endsWith('.zip') ? 'zip' : 'folder',
        suggested_id: path.basename(dropped, '.zip'),
        suggested_title: path.basename(dropped, '.zip').replaceAll('-', ' '),
        file_count: 1204,
        total_bytes: 41_017_344_000,
        ignored: ['.DS_Store', 'raw/Thumbs.db'],
        warnings: isBroken ? [] : ['raw/Frame 1.dat: a colon or a trailing space troubles Windows'],
        refusals: isBroken
          ? ['raw/link.dat is a link that leads out of the folder', 'raw/A.dat and raw/a.dat differ only in case']
          : [],
      };
      return answer(200, inspection);
    }
    if (rest === 'registrations' || rest === 'sample') {
      const id = body['id'] ?? 'sample-measurement';
      if (measurements.has(id)) return refused(409, 'Id in use', `A measurement "${id}" exists . Choose another id.`);
      measurements.add(id, body['title'] ?? id);
      return answer(202, addJob({ kind: 'register', measurement_id: id }));
    }
    if (rest === 'backups')
      return answer(202, addJob({ kind: 'backup', measurement_id: '', files_done: 0, files_total: 0 }));
    if (rest === 'backups/inspect') {
      if (badBackup)
        return refused(422, 'Unprocessable', `${String(body['file'])} is not a backup of Benchport.`, 'bad-backup');
      return answer(200, {
        file: body['file'],
        made_at: '2026-11-20T03:15:00.000Z',
        program_version: '0.1.0',
        bytes: 41_017_344_000,
        measurements: 118,
        library_files: 20_412,
        users: 9,
      });
    }
    if (rest === 'data/move') return answer(202, backups);
    if (rest === 'backups/restore')
      return answer(202, addJob({ kind: 'restore', measurement_id: '', files_done: 0, files_total: 0 }));
    if (rest === 'backups/schedule') {
      const wanted = body['schedule'] as unknown as BackupState['schedule'];
      backups = {
        ...backups,
        schedule: wanted && { ...wanted, next_at: new Date(Date.now() + 86_400_000).toISOString() },
      };
      return answer(200, backups);
    }
    const [, id = '', what] = rest.split('/');
    if (what === 'exports') return answer(202, addJob({ kind: 'export', measurement_id: id }));
    if (what === 'stage') return answer(200, { path: `/data/instrument/${id}`, job: null });
    return refused(404, 'Not found', 'There is no such route.');
  }

  return {
    backups: () => backups,
    answer: (method, rest, body) => {
      if (method === 'POST' || rest.startsWith('backups')) return post(rest, body);
      if (method === 'PUT') ignored = body['patterns'] as unknown as string[];
      return answer(200, { patterns: ignored, usual: defaultIgnored });
    },
  };
}
