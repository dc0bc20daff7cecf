import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Sharing } from '../../../src-main/service/contract/sharing.ts';
import { addressToUse } from '../../../src-main/service/http/server/lan-addresses.ts';
import { SelfTest } from '../../../src-main/service/network/self-test.ts';
import { asWindow } from '../as-window.ts';
import { lan, otherLan } from './lan-world.ts';
import { freePort } from '../../free-port.ts';
import { big, useSharing } from './sharing-scene.ts';

const { world, slowDownload } = useSharing();

describe('changes of the network', () => {
  test('a lost address is a problem of its own, transfers continue, and sharing resumes with the address', async () => {
    const url = await world.shared();
    const client = await slowDownload(url);
    world.addresses = [];
    await world.untilState(({ on, problem }) => !on && problem === 'address-gone', 'it says that the address is gone');
    await expect(fetch(`${url}/-/health`)).rejects.toThrow();
    expect((await world.state()).wanted).toBe(true);
    world.addresses = [lan];
    await world.untilState(({ on, problem, url: now }) => on && problem === null && now === url, 'it is back');
    expect((await fetch(`${url}/-/health`)).status).toBe(200);
    client.resume();
    await client.until(big);
    expect(client.received).toBeGreaterThan(big);
    client.socket.destroy();
  });

  test('transfers over a lost address still end with the switch', async () => {
    const client = await slowDownload(await world.shared());
    world.addresses = [];
    await world.untilState(({ problem }) => problem === 'address-gone', 'it says that the address is gone');
    await world.share({ on: false });
    await client.drain();
    expect(client.received).toBeLessThan(big);
    world.addresses = [lan];
  });

  test('without a chosen address sharing moves to the next one when its own is lost; a chosen one is waited for', async () => {
    await world.shared();
    world.addresses = [otherLan, lan];
    await world.share({});
    expect(new URL((await world.state()).url ?? '').hostname).toBe(lan.address);
    world.addresses = [otherLan];
    await world.untilState(({ url }) => url !== null && new URL(url).hostname === otherLan.address, 'it has moved');
    world.addresses = [otherLan, lan];
    expect(((await world.share({ address: lan.address })).body as Sharing).url).toContain(lan.address);
    world.addresses = [otherLan];
    await world.untilState(({ problem }) => problem === 'address-gone', 'it waits');
    expect((await world.state()).message).toContain(lan.address);
    world.addresses = [lan];
    await world.share({ address: null });
  });

  test('networks of containers are not chosen automatically', () => {
    const docker = { ...lan, name: 'docker0' };
    expect(addressToUse([docker, { ...lan, name: 'br-5e1f' }, otherLan], null, undefined)).toBe(otherLan);
    expect(addressToUse([docker], null, undefined)).toBeUndefined();
    expect(addressToUse([docker, otherLan], docker.address, undefined)).toBe(docker);
  });

  test('a used port is reported with the next free one, and opened once it is free', async () => {
    const port = await freePort(lan.address);
    const other: Server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => other.listen(port, lan.address, resolve));
    const refused = (await world.share({ on: true, port })).body as Sharing;
    expect(refused).toMatchObject({ on: false, wanted: true, problem: 'port-in-use' });
    expect(refused.free_port).toBeGreaterThan(port);
    expect((await world.share({ port: refused.free_port ?? 0 })).body).toMatchObject({
      on: true,
      problem: null,
      free_port: null,
    });
    await world.share({ port });
    await new Promise((resolve) => other.close(resolve));
    await world.untilState(({ on, url }) => on && url?.endsWith(`:${port}`) === true, 'the port is free');
  });
});

test('the self-test finds this service at its address, and no other program', async () => {
  const url = await world.shared();
  const good = await asWindow(world.service, 'POST', '/api/v4/local/sharing/test', {});
  expect(good).toMatchObject({ status: 200, body: { reachable: true } });
  expect((good.body as { message: string }).message).toContain('firewall');
  // The challenge of the test works neither for others nor twice.
  expect((await fetch(`${url}/-/sharing-test/0123456789abcdef`)).status).toBe(404);
  await world.share({ on: false });
  expect(await asWindow(world.service, 'POST', '/api/v4/local/sharing/test', {})).toMatchObject({ status: 409 });
});

test('the self-test distinguishes another program and silence', async () => {
  let status = 200;
  const other = createHttpServer((_request, response) => response.writeHead(status).end('{"word":"hello"}'));
  await new Promise<void>((resolve) => other.listen(0, lan.address, resolve));
  const address = other.address();
  const url = `http://${lan.address}:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const selfTest = new SelfTest();
  for (status of [200, 404, 421])
    expect(await selfTest.run(url, null)).toEqual({
      reachable: false,
      message: `Another program answers at ${url}. Choose another port.`,
    });
  await new Promise((resolve) => other.close(resolve));
  expect(await selfTest.run(url, null)).toMatchObject({
    reachable: false,
    message: expect.stringContaining('refused') as string,
  });
});
