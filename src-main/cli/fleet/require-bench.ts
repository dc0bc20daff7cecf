import type { BenchRow } from '../../service/fleet/store/bench-row.ts';
import type { Services } from '../../service/services.ts';
import { CommandError } from '../support/terminal.ts';

/**
 * The bench with a name, or with an id that begins so.
 *
 * @throws CommandError when there is none, or more than one.
 */
export async function requireBench({ benchList }: Pick<Services, 'benchList'>, name: string): Promise<BenchRow> {
  const [bench, other] = await benchList.named(name);
  if (!bench) throw new CommandError(`There is no bench ${name}.`);
  if (other) throw new CommandError(`More than one bench is called ${name}. Give the beginning of an id: ${bench.id}`);
  return bench;
}
