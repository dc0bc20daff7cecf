import { expect, test } from 'vitest';
import { firewallHint } from '../../../src-main/service/network/firewall-hint.ts';

const hint = (platform: NodeJS.Platform, ...installed: readonly string[]) =>
  firewallHint(7420, true, { platform, has: async (program) => installed.includes(program) });

test('the hint is for the installed firewall', async () => {
  expect((await hint('linux', 'ufw')).command).toBe('sudo ufw allow 7420/tcp');
  expect((await hint('linux', 'ufw', 'firewall-cmd')).command).toBe(
    'sudo firewall-cmd --permanent --add-port=7420/tcp --add-service=mdns && sudo firewall-cmd --reload',
  );
  expect(await hint('linux')).toEqual({ text: expect.stringContaining('TCP port 7420'), command: null });
  expect((await hint('win32')).command).toContain('localport=7420 profile=private');
  expect(await hint('darwin')).toEqual({ text: expect.stringContaining('Local Network'), command: null });
});
