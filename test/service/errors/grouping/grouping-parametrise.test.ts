import { expect, test } from 'vitest';
import { parametrise } from '../../../../src-main/service/errors/grouping/parametrise.ts';

test.each([
  ['mail to alice@lab.example.org bounced', 'mail to <email> bounced'],
  ['GET https://bench.lab:8443/api/v4/runs/17?x=1: refused', 'GET <url>: refused'],
  ['lookup camera-3.bench.lab: no such host', 'lookup <host>: no such host'],
  ['java.io.IOException at localhost:8080', 'java.io.IOException at <host>'],
  ['dial tcp 10.0.0.17:5432: refused', 'dial tcp <ip>: refused'],
  ['dial tcp [fe80::1]:5432 and ::1', 'dial tcp <ip> and <ip>'],
  ['core::fmt and std::1 and Foo::bar', 'core::fmt and std::<number> and Foo::bar'],
  ['run 0b9f6a9e-3e0e-4a8b-9a37-0e0d2b6f2a11 lost', 'run <uuid> lost'],
  ['commit da39a3ee5e6b4b0d3255bfef95601890afd80709', 'commit <sha1>'],
  ['sum d41d8cd98f00b204e9800998ecf8427e', 'sum <md5>'],
  ['at 2026-03-04T05:06:07.123Z, 2026-03-04, 05:06:07 and 4 Mar 2026', 'at <date>, <date>, <date> and <date>'],
  ['after 30s, 1m30.5s and 12ms', 'after <duration>, <duration> and <duration>'],
  ['open /data/run17/x.raw: no; /a/b.json; C:\\runs\\17\\x.raw', 'open <path>: no; <path>; <path>'],
  ['POST /api/v4/runs/17 failed', 'POST /api/v4/runs/<number> failed'],
  ['address 0x7ffe12 and deadbeef01', 'address <hex> and <hex>'],
  [
    '12345678 or 17 or -3 or 2.5 or 1e-5 or 1,234,567 or run-17 or scan_9',
    '<number> or <number> or <number> or <number> or <number> or <number> or run-<number> or scan_<number>',
  ],
  ['12.5V at channel3', '<number>V at channel3'],
  ["unknown key 'gain' in \"settings\" and don't or can't", "unknown key <text> in <text> and don't or can't"],
  ["Cannot read properties of undefined (reading 'gain')", "Cannot read properties of undefined (reading 'gain')"],
  ['ready: True, armed=false', 'ready: <truth>, armed=<truth>'],
  ['order 01ARZ3NDEKTSV4RRFFQ69G5FAV', 'order <id>'],
  ['\n  first  line 1 \r\n\n second\nthird', 'first line <number>\nsecond'],
])('%s', (text, expected) => {
  expect(parametrise(text)).toBe(expected);
});
