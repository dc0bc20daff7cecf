import { describe, expect, test } from 'vitest';
import { parseAllowedHost } from '../../../src-main/service/http-client/allowed-hosts.ts';
import { HttpRequestError } from '../../../src-main/service/http-client/http-request-error.ts';
import {
  outgoingGuard,
  OutgoingRefused,
  ownerGuard,
  type Resolve,
} from '../../../src-main/service/http-client/outgoing-guard.ts';
import { nameServer } from './name-server.ts';

type Outcome = 'reached' | 'private' | 'forbidden' | 'unusable';

async function outcomeOf(url: string, entries: readonly string[], names: Resolve): Promise<Outcome> {
  if (!URL.canParse(url)) return 'unusable';
  try {
    await outgoingGuard(entries.map(parseAllowedHost), names).check(new URL(url));
    return 'reached';
  } catch (error) {
    if (error instanceof OutgoingRefused) return error.canBeAllowed ? 'private' : 'forbidden';
    if (error instanceof HttpRequestError) return 'unusable';
    throw error;
  }
}

const names = nameServer({
  'public.example': [['93.184.215.14', '2606:2800:21f:cb07::1']],
  'inside.lab': [['10.1.2.3']],
  'both.example': [['10.1.2.3', '93.184.215.14']],
  'metadata.example': [['169.254.169.254']],
  'mixed.example': [['10.1.2.3', '169.254.169.254']],
  'mapped.example': [['::ffff:127.0.0.1']],
  'scoped.example': [['fe80::1%eth0']],
  'nothing.example': [[]],
  localhost: [['127.0.0.1', '::1']],
  'xn--mnchen-3ya.lab': [['10.1.2.3']],
});

const cases: readonly (readonly [string, Outcome, (readonly string[])?])[] = [
  // Names, and what they lead to.
  ['https://public.example/hook', 'reached'],
  ['http://public.example:9000/hook', 'reached'],
  ['http://inside.lab', 'private'],
  ['http://both.example', 'reached'],
  ['http://metadata.example', 'forbidden'],
  ['http://mixed.example', 'forbidden'],
  ['http://mapped.example', 'private'],
  ['http://scoped.example', 'forbidden'],
  ['http://nothing.example', 'forbidden'],
  ['http://unknown.example', 'unusable'],
  ['http://localhost', 'private'],
  ['http://localhost.', 'private'],
  // Private addresses.
  ['http://127.0.0.1', 'private'],
  ['http://127.255.255.254', 'private'],
  ['http://10.0.0.1', 'private'],
  ['http://172.16.0.1', 'private'],
  ['http://172.31.255.255', 'private'],
  ['http://172.32.0.1', 'reached'],
  ['http://192.168.1.1', 'private'],
  ['http://100.64.0.1', 'private'],
  ['http://100.128.0.1', 'reached'],
  ['http://[::1]', 'private'],
  ['http://[fd12:3456::7]', 'private'],
  // Metadata services and the local link.
  ['http://169.254.169.254/latest/meta-data/', 'forbidden'],
  ['http://169.254.170.2/v2/credentials', 'forbidden'],
  ['http://169.254.1.1', 'forbidden'],
  ['http://100.100.100.200', 'forbidden'],
  ['http://168.63.129.16', 'forbidden'],
  ['http://[fd00:ec2::254]', 'forbidden'],
  ['http://[fe80::1]', 'forbidden'],
  // Addresses that no server has.
  ['http://0.0.0.0', 'forbidden'],
  ['http://[::]', 'forbidden'],
  ['http://224.0.0.1', 'forbidden'],
  ['http://255.255.255.255', 'forbidden'],
  ['http://240.0.0.1', 'forbidden'],
  ['http://192.0.2.1', 'forbidden'],
  ['http://198.18.0.1', 'forbidden'],
  ['http://203.0.113.1', 'forbidden'],
  ['http://[ff02::1]', 'forbidden'],
  ['http://[2001:db8::1]', 'forbidden'],
  ['http://[fec0::1]', 'forbidden'],
  // Spellings of IPv4.
  ['http://0177.0.0.1', 'private'],
  ['http://0x7f.1', 'private'],
  ['http://2130706433', 'private'],
  ['http://127.1', 'private'],
  ['http://127.0.0.1.', 'private'],
  ['http://2852039166', 'forbidden'],
  ['http://0xa9fea9fe', 'forbidden'],
  ['http://①②⑦.⓪.⓪.①', 'private'],
  ['http://１２７。０。０。１', 'private'],
  ['http://%31%32%37.0.0.1', 'private'],
  ['http://0', 'forbidden'],
  // Forms of IPv6 that lead to an address of IPv4.
  ['http://[::ffff:10.0.0.1]', 'private'],
  ['http://[::ffff:a9fe:a9fe]', 'forbidden'],
  ['http://[0:0:0:0:0:ffff:7f00:1]', 'private'],
  ['http://[::ffff:0:127.0.0.1]', 'private'],
  ['http://[::127.0.0.1]', 'private'],
  ['http://[64:ff9b::169.254.169.254]', 'forbidden'],
  ['http://[64:ff9b::10.0.0.1]', 'private'],
  ['http://[64:ff9b::8.8.8.8]', 'reached'],
  ['http://[64:ff9b:1::10.0.0.1]', 'private'],
  ['http://[2002:a9fe:a9fe::1]', 'forbidden'],
  ['http://[2002:7f00:1::]', 'private'],
  ['http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]', 'forbidden'],
  ['http://[2606:4700::5efe:127.0.0.1]', 'private'],
  ['http://[::8.8.8.8]', 'forbidden'],
  // Two readers of one URL, and what is no address of the web.
  ['http://user@127.0.0.1', 'unusable'],
  ['http://public.example@169.254.169.254', 'unusable'],
  ['http://127.0.0.1\\@public.example', 'private'],
  ['http://public.example#@127.0.0.1', 'reached'],
  ['http://127.0.0.1?.public.example', 'private'],
  ['http://[fe80::1%25eth0]', 'unusable'],
  ['http://[::1', 'unusable'],
  ['http://127.0.0.1:99999', 'unusable'],
  ['ftp://public.example', 'unusable'],
  ['file:///etc/passwd', 'unusable'],
  ['gopher://127.0.0.1:6379/_x', 'unusable'],
  ['data:text/plain,x', 'unusable'],
  // Hosts that an administrator allows.
  ['http://inside.lab:9000', 'reached', ['inside.lab']],
  ['http://INSIDE.lab.:9000', 'reached', ['Inside.Lab.']],
  ['http://inside.lab:9000', 'reached', ['inside.lab:9000']],
  ['http://inside.lab:9001', 'private', ['inside.lab:9000']],
  ['https://inside.lab', 'reached', ['inside.lab:443']],
  ['http://inside.lab', 'reached', ['10.1.0.0/16']],
  ['http://inside.lab', 'private', ['10.2.0.0/16', 'side.lab', 'lab']],
  ['http://10.1.2.3', 'private', ['inside.lab']],
  ['http://[::ffff:10.1.2.3]', 'reached', ['10.1.2.3']],
  ['http://[fd12::7]:8443', 'reached', ['[fd12::/16]:8443']],
  ['http://münchen.lab', 'reached', ['MÜNCHEN.lab']],
  ['http://metadata.example', 'forbidden', ['metadata.example', '10.0.0.0/8']],
  ['http://127.0.0.1:7420', 'reached', ['127.0.0.0/8']],
  ['http://100.100.100.200', 'forbidden', ['100.64.0.0/10']],
];

describe('addresses', () => {
  test.each(cases.map(([url, outcome, entries = []], index) => ({ number: index + 1, url, outcome, entries })))(
    'case $number: $url is $outcome, allowed: $entries',
    async ({ url, outcome, entries }) => expect(await outcomeOf(url, entries, names)).toBe(outcome),
  );

  test('what is refused says why, and what to do, but no address of the network within', async () => {
    const guard = outgoingGuard([], names);
    await expect(guard.check(new URL('http://inside.lab'))).rejects.toMatchObject({
      failure: 'address-refused',
      message:
        'inside.lab leads to an address of the private network. An administrator can allow it under Settings > Outgoing requests.',
    });
    await expect(guard.check(new URL('http://10.1.2.3'))).rejects.toThrow(/^10\.1\.2\.3 is an address of the private/);
    await expect(guard.check(new URL('http://169.254.1.1'))).rejects.toThrow(/metadata service/);
    await expect(guard.check(new URL('http://192.0.2.1'))).rejects.toThrow(/reserved/);
  });
});

test('the owner of the machine reaches private and link-local addresses, but nothing worse', async () => {
  const guard = ownerGuard(names);
  for (const url of ['http://10.1.2.3', 'http://inside.lab', 'http://169.254.3.4', 'http://[::1]'])
    await expect(guard.check(new URL(url))).resolves.toBeUndefined();
  for (const url of ['http://169.254.169.254', 'http://metadata.example', 'http://0.0.0.0', 'http://[ff02::1]'])
    await expect(guard.check(new URL(url))).rejects.toBeInstanceOf(OutgoingRefused);
});
