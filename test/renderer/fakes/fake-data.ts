import { createHash } from 'node:crypto';
import type { MeasurementSummary } from '../../../src-main/service/contract/measurements.ts';
import type { FileStatus } from '../../../src-main/service/contract/measurements/files.ts';
import type { PersonalAccessToken, User } from '../../../src-main/service/contract/accounts.ts';

/** Repeatable data of a busy instrument. */
const now = Date.now();
const ago = (minutes: number): string => new Date(now - minutes * 60_000).toISOString();

export const alice: User = {
  id: 1,
  username: 'alice',
  name: 'Alice',
  email: null,
  state: 'active',
  is_admin: true,
  web_url: 'http://127.0.0.1:7420/alice',
  created_at: ago(100_000),
};

const kinds = [
  { prefix: 'qmr-2026', title: 'Quantum memory readout' },
  { prefix: 'ms-run', title: 'Mass spectrum of the blank' },
  { prefix: 'pl-film', title: 'Photoluminescence of a perovskite film' },
  { prefix: 'xrd-powder', title: 'Powder diffraction, capillary' },
  { prefix: 'afm-scan', title: 'Surface scan, 5 µm' },
] as const;

export function manyMeasurements(count: number): MeasurementSummary[] {
  return Array.from({ length: count }, (_, position) => {
    const kind = kinds[position % kinds.length] ?? kinds[0];
    const fileCount = (position * 7919) % 1700;
    const added = ago(12 + position * 41);
    const degraded = position % 23 === 3;
    return {
      id: `${kind.prefix}-${String(count - position).padStart(5, '0')}`,
      title: `${kind.title} ${count - position}`,
      state: degraded ? ('degraded' as const) : ('available' as const),
      storage: position % 3 === 0 ? ('library' as const) : ('reference' as const),
      owner: { id: 1, username: 'alice', name: 'Alice' },
      file_count: fileCount,
      total_bytes: fileCount * (((position * 104_729) % 40_000_000) + 9000),
      problem_count: degraded ? 2 + (position % 4) : 0,
      created_at: added,
      registered_at: added,
      verified_at: position % 4 === 0 ? ago(4320) : null,
      verified_copies: position % 5 === 1 ? 1 + (position % 2) : 0,
    };
  });
}

const filesByMeasurement = new Map<string, FileStatus[]>();

/** The files of a measurement in the order of its manifest: a text, and frames of three detectors. */
export function filesOf(measurement: MeasurementSummary): FileStatus[] {
  const { id, file_count: count, problem_count: problems } = measurement;
  const key = `${id} ${count} ${problems}`;
  const known = filesByMeasurement.get(key) ?? Array.from({ length: count }, (_, index) => fileAt(measurement, index));
  filesByMeasurement.set(key, known);
  return known;
}

function fileAt(measurement: MeasurementSummary, index: number): FileStatus {
  const { file_count: count, problem_count: problems, total_bytes: bytes } = measurement;
  // Two files together have twice the mean length.
  const mean = bytes / count;
  const differs =
    index === count - 1 && count % 2 === 1 ? 0 : Math.floor((mean * ((Math.floor(index / 2) * 79) % 97)) / 100);
  const detector = Math.floor(((index - 1) * 3) / Math.max(1, count - 1));
  const path = index === 0 ? 'README.txt' : `raw/detector ${detector}/frame-${String(index).padStart(5, '0')}.dat`;
  const broken = index < problems;
  return {
    index,
    path,
    length: mean + (index % 2 === 0 ? -differs : differs),
    crc32: index,
    sha256: createHash('sha256').update(path).digest('hex'),
    state: broken ? (index % 2 === 0 ? ('altered' as const) : ('missing' as const)) : ('ok' as const),
    problem: broken
      ? index % 2 === 0
        ? 'it has 20\u202f971\u202f524 bytes instead of 20\u202f971\u202f520'
        : 'there is no such file in its folder'
      : null,
    checked_at: ago(4320),
  };
}

export function someTokens(): PersonalAccessToken[] {
  const token = (id: number, name: string, more: Partial<PersonalAccessToken>): PersonalAccessToken => ({
    id,
    name,
    description: '',
    revoked: false,
    active: true,
    scopes: ['read_measurement'],
    user_id: 1,
    created_at: ago(id * 9000),
    last_used_ips: ['192.168.4.17'],
    last_used_at: ago(id * 70),
    expires_at: new Date(now + id * 30 * 86_400_000).toISOString().slice(0, 10),
    ...more,
  });
  return [
    token(1, 'ms-reader', { description: 'Evaluation computer beside the mass spectrometer' }),
    token(2, 'nightly backup', {
      scopes: ['read_api', 'self_rotate'],
      expires_at: new Date(now + 3 * 86_400_000).toISOString().slice(0, 10),
    }),
    token(3, 'notebook', { scopes: ['api'], last_used_at: null, last_used_ips: [], expires_at: null }),
    token(4, 'old script', { revoked: true, active: false }),
    token(5, 'visiting student', { active: false, expires_at: '2026-01-31' }),
  ];
}
