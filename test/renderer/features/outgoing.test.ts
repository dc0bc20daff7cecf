import { expect, test } from 'vitest';
import { linesOf, problemOfHosts } from '../../../src-renderer/features/settings/allowed-hosts.ts';

test('the lines of the allowed hosts are read without empty ones and duplicates', () => {
  expect(linesOf(' Sentry.Lab \n\nsentry.lab\n10.1.0.0/16\n')).toEqual(['sentry.lab', '10.1.0.0/16']);
  expect(linesOf(' \n')).toEqual([]);
});

test('what can never be an allowed host is told while typing', () => {
  expect(problemOfHosts(['sentry.lab', 'sentry.lab:9000', '10.1.0.0/16', '[fd12::7]:9000'])).toBeNull();
  expect(problemOfHosts(['https://sentry.lab/'])).toContain('host only');
  expect(problemOfHosts(['*.lab'])).toContain('asterisk');
  expect(problemOfHosts(Array.from({ length: 201 }, (_, index) => `host-${index}`))).toContain('201');
});
