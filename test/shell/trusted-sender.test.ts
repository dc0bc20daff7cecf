import { expect, it } from 'vitest';
import { isTrustedSender, type Sender } from '../../src-main/shell/bridge/trusted-sender.ts';

const own = new Set([3]);
const good: Sender = { contentsId: 3, frame: { url: 'app://local/measurements', isMain: true } };

it('E06 the main frame of our own window on our own page is trusted', () => {
  expect(isTrustedSender(good, own)).toBe(true);
});

it.each<[string, Sender]>([
  ['another window', { ...good, contentsId: 4 }],
  ['a frame inside the page', { ...good, frame: { url: 'app://local/', isMain: false } }],
  ['a frame that has gone', { ...good, frame: null }],
  ['a page of another host', { ...good, frame: { url: 'app://local.example/', isMain: true } }],
  ['a page of the web', { ...good, frame: { url: 'https://local/', isMain: true } }],
  ['a file', { ...good, frame: { url: 'file:///app/index.html', isMain: true } }],
  ['a page without an address', { ...good, frame: { url: '', isMain: true } }],
  ['an empty page', { ...good, frame: { url: 'about:blank', isMain: true } }],
])('E06 %s is not', (_what, sender) => {
  expect(isTrustedSender(sender, own)).toBe(false);
});
