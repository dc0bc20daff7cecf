import type { Command } from 'commander';
import { atTheMachine } from '../../service/http/principal.ts';
import { quotaShape } from '../../service/measurements/uploads/quota-shape.ts';
import { setQuota, type QuotaSubject } from '../../service/measurements/uploads/set-quota.ts';
import type { Services } from '../../service/services.ts';
import { dataCommand, type CommonOptions } from './command.ts';
import { quotaLine, readQuota } from './quota.ts';
import { printJson, printLine, type Terminal } from './terminal.ts';
import { withServices } from './with-services.ts';

export interface QuotaCommand {
  readonly kind: QuotaSubject['kind'];
  readonly description: string;
  /** Name and meaning of the argument that says whose quota it is. */
  readonly argument: readonly [name: string, meaning: string];
  readonly find: (services: Services, given: string) => Promise<{ readonly id: number }>;
}

/** `benchport user quota NAME [SIZE]` and `benchport project quota PATH [SIZE]` */
export function addQuota(
  parent: Command,
  terminal: Terminal,
  { kind, description, argument, find }: QuotaCommand,
): void {
  dataCommand(parent, 'quota', description)
    .argument(...argument)
    .argument('[size]', 'such as 500GB or 2TiB; "none" for no limit')
    .action(async (given: string, size: string | undefined, options: CommonOptions) => {
      const bytes = size === undefined ? undefined : readQuota(size);
      await withServices(terminal, options, async (services) => {
        const { id } = await find(services, given);
        if (bytes !== undefined) await setQuota(services, { kind, id }, bytes, atTheMachine);
        const quota = await (kind === 'user' ? services.quotas.ofUser(id) : services.quotas.ofProject(id));
        if (options.json) printJson(terminal, quotaShape(quota));
        else printLine(terminal, quotaLine(given, quota));
      });
    });
}
