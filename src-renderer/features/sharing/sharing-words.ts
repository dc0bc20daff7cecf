import type { OutgoingTransfer, ServiceStatus, Sharing } from '../../api/requests/types.ts';
import { countOf } from '../../../src-shared/format/quantities.ts';
import { describeTransfer } from '../../words/transfer-words.ts';

type Summary = { readonly tone: 'ok' | 'bad' | 'quiet'; readonly word: string };

/** The state of sharing in a word. */
export function sharingSummary({ on, wanted, problem }: Pick<Sharing, 'on' | 'wanted' | 'problem'>): Summary {
  if (on) return problem === null ? { tone: 'ok', word: 'shared' } : { tone: 'bad', word: 'shared, but not reachable' };
  return wanted ? { tone: 'bad', word: 'on, but not shared now' } : { tone: 'quiet', word: 'not shared' };
}

/** The choices of an address, including the chosen one when it is not available now. */
export function addressChoices({
  interfaces,
  address,
}: Pick<Sharing, 'interfaces' | 'address'>): readonly { readonly value: string; readonly label: string }[] {
  const there = interfaces.map((one) => ({ value: one.address, label: `${one.address} (${one.name})` }));
  const gone = address !== null && !interfaces.some((one) => one.address === address);
  return [
    { value: '', label: 'The first address of this machine' },
    ...there,
    ...(gone ? [{ value: address, label: `${address} (not available now)` }] : []),
  ];
}

/** The state of sharing for a browser, which may not change it. */
export function sharedFromElsewhere({
  shared,
  shared_url: url,
  base_url: base,
}: Pick<ServiceStatus, 'shared' | 'shared_url' | 'base_url'>): string {
  if (url !== null)
    return `Others on the network reach this service at ${url}. Switch it on or off in the Benchport window on its machine.`;
  if (shared) return `Others on the network reach this service at ${base}. Its address was set when it was started.`;
  return 'Only the machine itself can reach this service. Share it in the Benchport window there or, if it runs without one, start it with --host.';
}

/** The content of a transfer, in a few words. */
export function outgoingWords(transfer: Pick<OutgoingTransfer, 'what' | 'path' | 'range' | 'short_answers'>): string {
  if (transfer.short_answers === null) return describeTransfer({ ...transfer, file_index: null });
  if (transfer.what === 'manifest') return countOf(transfer.short_answers, 'manifest');
  return `${countOf(transfer.short_answers, 'small piece')} of ${transfer.what === 'archive' ? 'the ZIP' : 'files'}`;
}

/** The credential that was used, beside its owner. */
export function credentialWords(transfer: Pick<OutgoingTransfer, 'token_name' | 'application_name'>): string | null {
  return transfer.token_name ?? transfer.application_name;
}
