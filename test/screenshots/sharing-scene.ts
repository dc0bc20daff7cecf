import type { OutgoingTransfer, PastTransfer, Sharing } from '../../src-main/service/contract/sharing.ts';

const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
const mib = 1024 ** 2;
const gib = 1024 ** 3;

/** Sharing before it is switched on. */
export const shut: Sharing = {
  on: false,
  wanted: false,
  problem: null,
  message: null,
  needs_password: false,
  address: null,
  port: 7421,
  free_port: null,
  announce: true,
  tls: true,
  certificate_sha256: null,
  url: null,
  name: null,
  name_url: null,
  interfaces: [
    { name: 'enp3s0', address: '192.168.4.17', family: 'IPv4' },
    { name: 'enp3s0', address: 'fd12:3456:789a:1::17', family: 'IPv6' },
  ],
  firewall: {
    text: 'The firewall of this machine (ufw) may keep others out. This lets them in:',
    command: 'sudo ufw allow 7421/tcp',
  },
};

export const sharing: Sharing = {
  ...shut,
  on: true,
  wanted: true,
  certificate_sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  url: 'https://192.168.4.17:7421',
  name: 'Benchport on bench-3',
  name_url: 'https://bench-3.local:7421',
};

function sent(id: number, more: Partial<OutgoingTransfer>): OutgoingTransfer {
  return {
    id,
    short_answers: null,
    username: 'bob',
    token_name: 'notebook server',
    application_name: null,
    address: '192.168.4.31',
    measurement_id: 'qmr-2026-114',
    what: 'archive',
    path: null,
    range: null,
    bytes_sent: 4.1 * gib,
    bytes_total: 11.3 * gib,
    bytes_per_second: 88 * mib,
    user_agent: 'curl/8.14.1',
    started_at: ago(1),
    ...more,
  };
}

export const outgoing: readonly OutgoingTransfer[] = [
  sent(41, {}),
  sent(42, {
    what: 'file',
    path: 'frames/frame-0031.dat',
    range: 'bytes=4194304-',
    bytes_sent: 2 * mib,
    bytes_total: 4 * mib,
    bytes_per_second: 12 * mib,
    address: '192.168.4.22',
    token_name: 'bench 4',
    user_agent: 'Benchport/0.1.0',
  }),
  sent(43, {
    what: 'file',
    short_answers: 212,
    bytes_sent: 9 * mib,
    bytes_total: null,
    bytes_per_second: 9 * mib,
    measurement_id: 'hplc-2026-031',
  }),
].map((one) => ({
  ...one,
  bytes_sent: Math.round(one.bytes_sent),
  bytes_total: one.bytes_total === null ? null : Math.round(one.bytes_total),
}));

export const past: readonly PastTransfer[] = Array.from({ length: 12 }, (_, place) => ({
  id: 900 - place,
  started_at: ago(20 + place * 47),
  ended_at: ago(18 + place * 47),
  username: place % 3 === 0 ? 'alice' : 'bob',
  token_name: place % 3 === 0 ? null : 'notebook server',
  application_name: null,
  address: `192.168.4.${20 + (place % 4)}`,
  measurement_id: ['qmr-2026-114', 'xrd-0450', 'hplc-2026-031'][place % 3] ?? '',
  what: (['archive', 'file', 'manifest'] as const)[place % 3] ?? 'file',
  path: place % 3 === 1 ? `raw/frame-${String(place * 31).padStart(5, '0')}.dat` : null,
  range: place % 6 === 1 ? 'bytes=1048576-2097151' : null,
  status: place === 5 ? 409 : place % 6 === 1 ? 206 : 200,
  bytes_sent: place % 3 === 2 ? 84_211 : place * 91_312_211 + 1_204_000,
  outcome: place === 5 ? 'file-changed' : place === 7 ? 'client-closed' : 'complete',
  user_agent: 'curl/8.14.1',
  requests: 1,
}));
