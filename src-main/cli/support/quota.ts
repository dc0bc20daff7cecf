import { formatBytes } from '../../service/common/format-bytes.ts';
import type { Quota } from '../../service/measurements/store/quotas-store.ts';
import { CommandError } from './terminal.ts';

const factors: Readonly<Record<string, number>> = {
  '': 1,
  k: 1e3,
  m: 1e6,
  g: 1e9,
  t: 1e12,
  p: 1e15,
  ki: 2 ** 10,
  mi: 2 ** 20,
  gi: 2 ** 30,
  ti: 2 ** 40,
  pi: 2 ** 50,
};

/** Reads "500 GB", "2TiB" or "none". @throws CommandError */
export function readQuota(text: string): number | null {
  if (text === 'none') return null;
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?) ?([kmgtp]?i?)b?$/i.exec(text) ?? [];
  const bytes = Math.floor(Number(number) * (factors[unit.toLowerCase()] ?? Number.NaN));
  if (number === '' || !Number.isSafeInteger(bytes))
    throw new CommandError(`${text} is no size. Write it like 500GB or 2TiB, or "none".`, 2);
  return bytes;
}

export function quotaLine(name: string, { quotaBytes, usedBytes, unfinishedBytes, removedBytes }: Quota): string {
  const limit = quotaBytes === null ? 'no quota' : `a quota of ${formatBytes(quotaBytes)}`;
  const shares = [
    ...(unfinishedBytes === 0 ? [] : [`${formatBytes(unfinishedBytes)} by unfinished uploads`]),
    ...(removedBytes === 0 ? [] : [`${formatBytes(removedBytes)} by removed measurements that can be restored`]),
  ];
  const of = shares.length === 0 ? '' : `, of which ${shares.join(' and ')}`;
  return `${name} has ${limit}; ${formatBytes(usedBytes)} are taken${of}.`;
}
