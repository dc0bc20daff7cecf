import type { Command } from 'commander';
import { atTheMachine } from '../../service/http/principal.ts';
import { setQuota } from '../../service/measurements/uploads/set-quota.ts';
import { dataCommand, type CommonOptions } from '../support/command.ts';
import { quotaLine, readQuota } from '../support/quota.ts';
import { requireUser } from '../support/require-user.ts';
import { printJson, printLine, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';

/** `benchport user quota NAME [BYTES]` */
export function addUserQuota(users: Command, terminal: Terminal): void {
  dataCommand(users, 'quota', 'Show or set how much what a user uploads may take')
    .argument('<name>', 'user name')
    .argument('[size]', 'such as 500GB or 2TiB; "none" for no limit')
    .action(async (given: string, size: string | undefined, options: CommonOptions) => {
      const bytes = size === undefined ? undefined : readQuota(size);
      await withServices(terminal, options, async (services) => {
        const { id } = await requireUser(services, given);
        if (bytes !== undefined) await setQuota(services, { kind: 'user', id }, bytes, atTheMachine);
        const quota = await services.quotas.ofUser(id);
        if (options.json) printJson(terminal, { quota_bytes: quota.quotaBytes, used_bytes: quota.usedBytes });
        else printLine(terminal, quotaLine(given, quota));
      });
    });
}
