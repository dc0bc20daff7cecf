import type { Services } from '../../service/services.ts';
import { refuseFacility } from '../support/refuse-facility.ts';
import type { Terminal } from '../support/terminal.ts';
import { withServices, type DataOptions } from '../support/with-services.ts';

/**
 * Runs `work` on a data directory, because a facility watches no folders.
 *
 * @throws CommandError or StartError with a line for the user.
 */
export async function withCaptures(
  terminal: Terminal,
  options: DataOptions,
  work: (services: Services) => Promise<void>,
): Promise<void> {
  refuseFacility(terminal, 'Watch folders with the Benchport at the instrument, and push to the facility.');
  await withServices(terminal, options, work);
}
