import { formatBytes } from '../../common/format-bytes.ts';
import type { ExceededQuota } from './quotas-store.ts';

/** Explains a quota that would be exceeded, for the person who uploads. */
export function quotaText({ of, quotaBytes, usedBytes }: ExceededQuota, bytes: number): string {
  const whose = of === 'user' ? 'your quota' : 'the quota of the project';
  return `It needs ${formatBytes(bytes)}, but ${whose} is ${formatBytes(quotaBytes ?? 0)}, of which ${formatBytes(usedBytes)} are taken. Remove something, or ask an administrator for more.`;
}
