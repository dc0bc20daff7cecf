import type { Copy, CopyPage } from '../../src-main/service/contract/copies/copies.ts';

const gib = 1024 ** 3;
const ago = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

function copy(id: number, state: Copy['state'], more: Partial<Copy> = {}): Copy {
  return {
    id,
    measurement_id: `qmr-2026-${String(120 - id).padStart(5, '0')}`,
    title: `Quantum memory readout ${120 - id}`,
    server_id: 1,
    server_name: 'Facility',
    base_url: 'https://facility.lab.example',
    project: null,
    state,
    reason: null,
    message: null,
    retry_at: null,
    bytes_done: 0,
    bytes_total: 40 * gib,
    bytes_per_second: 0,
    outside_hours: false,
    has_receipt: false,
    verified_at: null,
    check_at: null,
    created_at: ago(9),
    ended_at: null,
    ...more,
  };
}

const verified = { bytes_done: 40 * gib, has_receipt: true, ended_at: ago(3) };
const items: readonly Copy[] = [
  copy(1, 'sending', { bytes_done: 13 * gib, bytes_per_second: 92_000_000 }),
  copy(2, 'sending', { bytes_done: 40 * gib }),
  copy(3, 'asking', {
    reason: 'token-refused',
    message:
      'facility.lab.example does not accept the token: it is missing, wrong, expired or revoked. Enter another one.',
  }),
  copy(4, 'waiting', {
    bytes_done: 2 * gib,
    reason: 'unreachable',
    message: 'archive.lab.example cannot be reached from this machine. Check the network, and any firewall in between.',
    retry_at: new Date(Date.now() + 432_000).toISOString(),
    server_name: 'Archive',
  }),
  copy(5, 'queued', { outside_hours: true }),
  copy(6, 'paused', { bytes_done: 21 * gib }),
  copy(7, 'failed', {
    reason: 'bytes-differ',
    message: 'archive.lab.example has other bytes than those that were sent.',
    server_name: 'Archive',
  }),
  copy(8, 'verified', { ...verified, verified_at: ago(3), check_at: ago(-700) }),
  copy(9, 'verified', { ...verified, verified_at: ago(45 * 24), check_at: ago(14 * 24), server_name: 'Archive' }),
  copy(10, 'cancelled'),
];

/** The first page of copies, one in each state. */
export const copiesPage: CopyPage = {
  items: [...items],
  total: items.length,
  counts: { all: items.length, active: 6, verified: 2, failed: 1 },
};
