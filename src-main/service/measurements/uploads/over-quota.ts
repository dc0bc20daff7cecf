import { HttpProblem } from '../../common/problem.ts';
import { quotaText } from '../store/quota-text.ts';
import type { ExceededQuota } from '../store/quotas-store.ts';

export function overQuota(exceeded: ExceededQuota, bytes: number): HttpProblem {
  return new HttpProblem(413, quotaText(exceeded, bytes), { type: 'over-quota' });
}
