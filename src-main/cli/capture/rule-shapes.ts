import { ruleShape } from '../../service/capture/capture-shape.ts';
import type { CaptureRuleRow } from '../../service/capture/store/capture-rows.ts';
import type { CaptureRule } from '../../service/contract/capture/rules.ts';
import type { Services } from '../../service/services.ts';

/** Rules as the HTTP interface has them, with the numbers of their runs. */
export async function ruleShapes(
  { captureList, servers }: Pick<Services, 'captureList' | 'servers'>,
  rules: readonly CaptureRuleRow[],
): Promise<readonly CaptureRule[]> {
  const counts = await captureList.counts();
  const names = new Map((await servers.all()).map(({ id, name }) => [id, name]));
  return rules.map((rule) => ruleShape(rule, counts.get(rule.id), names.get(rule.settings.push_to ?? 0) ?? null));
}
