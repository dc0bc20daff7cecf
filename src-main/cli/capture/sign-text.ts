import { nounOf } from '../../service/common/count-of.ts';
import type { CaptureRuleInput } from '../../service/contract/capture/rules.ts';

/** The sign that a rule waits for, in words. */
export function signText({ sign, markers, minutes }: Pick<CaptureRuleInput, 'sign' | 'markers' | 'minutes'>): string {
  const silence = `${minutes} ${nounOf(minutes, 'minute')} without a change`;
  if (sign === 'quiet') return silence;
  const what = sign === 'marker' ? markers.join(' and ') : 'its move into the folder';
  return minutes === 0 ? what : `${what}, then ${silence}`;
}
