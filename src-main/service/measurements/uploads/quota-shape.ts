import type { Quota } from '../../contract/measurements.ts';
import type { Quota as StoredQuota } from '../store/quotas-store.ts';

export function quotaShape({ quotaBytes, usedBytes, unfinishedBytes, removedBytes }: StoredQuota): Quota {
  return {
    quota_bytes: quotaBytes,
    used_bytes: usedBytes,
    unfinished_bytes: unfinishedBytes,
    removed_bytes: removedBytes,
  };
}
