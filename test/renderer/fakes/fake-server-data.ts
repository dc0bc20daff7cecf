import type { RemoteFile, RemoteMeasurement, RemoteServer } from '../../../src-main/service/contract/servers.ts';

export interface FakeServerOptions {
  readonly servers?: boolean;
  /** Servers announced on the network. */
  readonly found?: boolean;
  readonly measurements?: number;
}

const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
export const fingerprint = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
export const perPage = 100;

export function serverOf(id: number, more: Partial<RemoteServer>): RemoteServer {
  return {
    id,
    name: 'bench-3',
    base_url: 'https://bench-3.lab.example',
    has_token: true,
    certificate_sha256: null,
    speed_limit: null,
    connections: null,
    reports: true,
    reports_refused: null,
    state: 'ok',
    problem: null,
    message: null,
    lists: true,
    username: 'alice',
    checked_at: ago(12),
    created_at: ago(9000),
    ...more,
  };
}

/** A working server, and one for each problem that the screen offers a remedy for. */
export const sampleServers: readonly RemoteServer[] = [
  serverOf(1, {}),
  serverOf(2, {
    name: 'Instrument hall',
    base_url: 'https://instruments.example/data',
    lists: false,
    username: null,
    speed_limit: 10 * 1024 ** 2,
    reports_refused:
      'instruments.example answered with the status 403. The token may not write measurements; it needs write_measurement.',
  }),
  serverOf(3, {
    name: 'bench-5',
    base_url: 'https://bench-5.lab.example',
    state: 'failed',
    problem: 'token-refused',
    message: 'The token expired on 3 March. Create a new one on the server and give it here.',
  }),
  serverOf(4, {
    name: 'bench-7',
    base_url: 'https://192.168.4.17:7420',
    state: 'failed',
    problem: 'certificate',
    message: 'No authority that this machine knows has signed the certificate.',
    has_token: false,
  }),
  serverOf(5, {
    name: 'old-archive',
    base_url: 'http://archive.lab.example',
    state: 'failed',
    problem: 'name-unknown',
    message: 'The name archive.lab.example is not known. Look at the address, or connect to the network of the lab.',
  }),
];

export function measurementsOf(count: number): RemoteMeasurement[] {
  return Array.from({ length: count }, (_, place) => ({
    id: `qmr-2026-${String(count - place).padStart(5, '0')}`,
    title: `Quantum memory readout ${count - place}`,
    state: 'available',
    file_count: 4 + ((place * 7919) % 1700),
    total_bytes: 9000 + ((place * 104_729_777) % 60_000_000_000),
    created_at: ago(12 + place * 41),
  }));
}

export const files: RemoteFile[] = Array.from({ length: 1204 }, (_, index) => ({
  index,
  path: index === 3 ? '../../outside.dat' : `raw/detector ${index % 3}/frame-${String(index).padStart(5, '0')}.dat`,
  length: 1_048_576,
  refusal: index === 3 ? 'leads out of the folder' : null,
}));
