import type { AuditStores } from '../audit/stores.ts';
import { invalidRequest } from '../common/problem.ts';
import type { Actor } from '../http/principal.ts';
import type { ServiceContext } from '../http/service-context.ts';
import { AllowedHostError, entryOf, parseAllowedHost } from '../http-client/allowed-hosts.ts';
import { outgoingSetting, type OutgoingDeps } from './outgoing-hosts.ts';

type Deps = OutgoingDeps & Pick<AuditStores, 'audit'> & Pick<ServiceContext, 'events' | 'settings'>;

const maxAllowedHosts = 200;

/**
 * Replaces the list of allowed hosts. Entries are stored in one form each, without duplicates.
 *
 * @param by the administrator who makes the change, which is audited.
 * @throws HttpProblem 400 for an entry that cannot be read or allowed, and for too many of them.
 */
export async function setAllowedHosts(deps: Deps, entered: readonly string[], by: Actor): Promise<readonly string[]> {
  const wanted = canonical(entered);
  const before = await deps.outgoing.list();
  await deps.settings.set(outgoingSetting, JSON.stringify(wanted));
  await note(deps, by, before, wanted);
  return wanted;
}

/**
 * Judges whether the host of a URL could join the list, before anything else is stored.
 *
 * @throws HttpProblem 400 when the list is full, or for a host that it cannot name.
 */
export async function requireAllowable({ outgoing }: OutgoingDeps, url: URL): Promise<void> {
  canonical([...(await outgoing.list()), entryOf(url)]);
}

/**
 * Adds the host of a URL, with its port, because an administrator has saved it himself.
 *
 * @param why is noted in the audit trail.
 * @throws HttpProblem 400 when the list is full.
 */
export async function allowHost(deps: Deps, url: URL, by: Actor, why: string): Promise<void> {
  for (;;) {
    const stored = await deps.settings.addIfAbsent(outgoingSetting, '[]');
    const before = await deps.outgoing.list();
    const wanted = canonical([...before, entryOf(url)]);
    const text = JSON.stringify(wanted);
    // Another change in between is read, and added to.
    if ((await deps.settings.replace(outgoingSetting, stored, text)) !== text) continue;
    return note(deps, by, before, wanted, why);
  }
}

function canonical(entered: readonly string[]): readonly string[] {
  try {
    const texts = entered.filter((entry) => entry.trim() !== '').map((entry) => parseAllowedHost(entry).text);
    const wanted = [...new Set(texts)];
    if (wanted.length > maxAllowedHosts)
      throw invalidRequest(
        `There are ${wanted.length} allowed hosts; the maximum is ${maxAllowedHosts}. A network such as 10.1.0.0/16 stands for many.`,
      );
    return wanted;
  } catch (error) {
    throw error instanceof AllowedHostError ? invalidRequest(error.message) : error;
  }
}

async function note(
  { audit, events }: Deps,
  by: Actor,
  before: readonly string[],
  wanted: readonly string[],
  why?: string,
): Promise<void> {
  const changes = [
    ...wanted.filter((entry) => !before.includes(entry)).map((entry) => `allowed ${entry}`),
    ...before.filter((entry) => !wanted.includes(entry)).map((entry) => `no longer ${entry}`),
  ];
  if (changes.length === 0) return;
  const detail = `${changes.join(', ')}${why === undefined ? '' : ` (${why})`}`;
  await audit.record({ ...by, action: 'settings.outgoing', subject: `setting:${outgoingSetting}`, detail });
  events.emit('changed', { topic: 'service' });
}
