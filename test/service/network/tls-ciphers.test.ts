import tls from 'node:tls';
import { beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../free-port.ts';
import { lan, lanWorld } from './lan-world.ts';
import { useTestService, useWorld } from '../use-service.ts';

const service = useTestService({ tls: { kind: 'self-signed' } });
const world = useWorld(lanWorld);
let addresses: readonly { readonly host: string; readonly port: number }[];
beforeAll(async () => {
  const port = await freePort(lan.address);
  await world.share({ on: true, port, announce: false, tls: true });
  addresses = [
    { host: '127.0.0.1', port: service.port },
    { host: lan.address, port },
  ];
});

/** The negotiated suite; null when there is none. */
function agreed(
  at: { readonly host: string; readonly port: number },
  options: tls.ConnectionOptions,
): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = tls.connect({ ...at, ...options, rejectUnauthorized: false }, () => {
      resolve(socket.getCipher().name);
      socket.destroy();
    });
    socket.once('error', () => resolve(null));
  });
}

const old = { maxVersion: 'TLSv1.2' } as const;

describe.each([
  ['everybody', 0],
  ['the local network', 1],
])('D2: the listener for %s', (_whose, index) => {
  const at = () => addresses[index] ?? { host: '', port: 0 };

  test.each([
    'ECDHE-ECDSA-AES128-SHA256',
    'ECDHE-ECDSA-AES256-SHA',
    'ECDHE-ECDSA-AES128-CCM',
    'ECDHE-ECDSA-AES256-CCM8',
    'ECDHE-ARIA128-GCM-SHA256',
  ])('D2: refuses %s', async (ciphers) => {
    expect(await agreed(at(), { ...old, ciphers })).toBeNull();
  });

  test.each(['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-ECDSA-CHACHA20-POLY1305'])(
    'D2: takes %s',
    async (ciphers) => {
      expect(await agreed(at(), { ...old, ciphers })).toBe(ciphers);
    },
  );

  test.each(['X25519', 'P-256', 'P-384'])('D2: takes TLS 1.3 with the curve %s', async (ecdhCurve) => {
    expect(await agreed(at(), { minVersion: 'TLSv1.3', ecdhCurve })).toMatch(/^TLS_/);
  });

  test('D2: refuses another curve, and TLS 1.1', async () => {
    expect(await agreed(at(), { minVersion: 'TLSv1.3', ecdhCurve: 'P-521' })).toBeNull();
    expect(await agreed(at(), { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1' })).toBeNull();
  });
});
