import type { CaptureRuleRow } from '../../service/capture/store/capture-rows.ts';
import type { CaptureStores } from '../../service/capture/store/stores.ts';
import { CommandError } from '../support/terminal.ts';

/**
 * The rule with that name.
 * @throws CommandError that says where to find the names.
 */
export async function requireCaptureRule(
  { captureRules }: Pick<CaptureStores, 'captureRules'>,
  name: string,
): Promise<CaptureRuleRow> {
  const rule = await captureRules.byName(name);
  if (!rule) throw new CommandError(`There is no rule ${name}. "benchport capture list" shows them all.`);
  return rule;
}
