import { Bonjour, type Service } from 'bonjour-service';
import { createSocket } from 'node:dgram';
import os from 'node:os';
import { expect, test } from 'vitest';
import type { DiscoveredServer, RemoteServer } from '../../../src-main/service/contract/servers.ts';
import { freeName } from '../../../src-main/service/network/announce.ts';
import { asWindow } from '../as-window.ts';
import { until } from '../until.ts';
import { lan, lanWorld } from './lan-world.ts';
import { freePort } from '../../free-port.ts';

/** Whether programs may join the multicast DNS group here, which not every container permits. */
const mayMulticast = await new Promise<boolean>((resolve) => {
  const socket = createSocket({ type: 'udp4', reuseAddr: true });
  socket.once('error', () => resolve(false));
  socket.bind(5353, () => {
    try {
      socket.addMembership('224.0.0.251', lan.address);
      resolve(true);
    } catch {
      resolve(false);
    } finally {
      socket.close();
    }
  });
});

test.skipIf(!mayMulticast)(
  'tells its name while it is shared, another one when it is taken, and takes it back',
  async () => {
    // The library passes these options to the socket, though its types lack them.
    const options: object = { bind: '0.0.0.0', interface: lan.address };
    const network = new Bonjour(options);
    const [services, pages] = (['benchport', 'https'] as const).map((type) => network.find({ type }));
    const seen = (name: string): Service | undefined => services?.services.find((service) => service.name === name);
    const host = os.hostname().toLowerCase().replace(/\..*$/, '');
    const one = await lanWorld();
    const two = await lanWorld();
    try {
      const port = await freePort(lan.address);
      await one.share({ on: true, port });
      await one.untilState(({ name }) => name !== null, 'it has a name');
      const { name, name_url: nameUrl, certificate_sha256: sha256 } = await one.state();
      expect(name?.replace(/ \(\d+\)$/, '')).toBe(`Benchport on ${host}`);
      expect(nameUrl).toBe(`https://${host}.local:${port}`);
      await until(() => seen(name ?? '') !== undefined, 'others hear it');
      expect(seen(name ?? '')).toMatchObject({
        port,
        host: `${host}.local`,
        txt: { path: '/', version: '0.0.0-test', tls: '1', sha256 },
      });
      // Only the listening address, however many this machine has.
      expect(new Set(seen(name ?? '')?.addresses)).toEqual(new Set([lan.address]));
      await until(() => pages?.services.some((page) => page.name === name) === true, 'its page too');

      await two.share({ on: true, port: await freePort(lan.address), tls: false });
      await two.untilState((state) => state.name !== null, 'the other one has a name');
      const other = (await two.state()).name ?? '';
      expect(other).not.toBe(name);
      expect(other).toMatch(/ \(\d+\)$/);
      await until(() => seen(other) !== undefined, 'others hear that one too');
      expect(seen(other)?.txt).toEqual({ path: '/', version: '0.0.0-test' });

      // The announced certificate is sufficient for trust once a user has compared it: the token is
      // sent to it only.
      const near = async () =>
        (await asWindow(two.service, 'GET', '/api/v4/local/discovered-servers')).body as DiscoveredServer[];
      await until(async () => (await near()).some((server) => server.name === name), 'the other one hears it');
      const found = (await near()).find((server) => server.name === name);
      expect(found).toMatchObject({ base_url: (await one.state()).url, certificate_sha256: sha256 });
      const token = await one.service.token(one.ownerId, ['read_api']);
      const wish = { base_url: found?.base_url, certificate_sha256: found?.certificate_sha256, token };
      const added = (await asWindow(two.service, 'POST', '/api/v4/local/servers', wish)).body as RemoteServer;
      expect((await asWindow(two.service, 'POST', `/api/v4/local/servers/${added.id}/test`, {})).body).toMatchObject({
        state: 'ok',
        username: 'alice',
      });

      await one.share({ announce: false });
      await until(() => seen(name ?? '') === undefined, 'the name is taken back');
      expect((await one.state()).on).toBe(true);
      await two.service.stop();
      await until(() => seen(other) === undefined, 'the stop takes it back too');
    } finally {
      await Promise.all([one.service.end(), two.service.end()]);
      network.destroy();
    }
  },
);

test('a used name gets a number, and fits into a DNS label', () => {
  expect(freeName('Benchport on Lab-PC', new Set(['benchport on lab-pc', 'benchport on lab-pc (2)']))).toBe(
    'Benchport on Lab-PC (3)',
  );
  const long = freeName(`Benchport on ${'ü'.repeat(60)}`, new Set());
  expect(Buffer.byteLength(long)).toBeLessThanOrEqual(63);
  expect(freeName('a.b', new Set())).toBe('a-b');
});
