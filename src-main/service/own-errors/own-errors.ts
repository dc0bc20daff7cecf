import { announceErrors } from '../errors/ingest/announce-errors.ts';
import { prepareEvent } from '../errors/events/prepare-event.ts';
import { errorPayload, ownError, type OwnError } from './error-payload.ts';
import { ownErrorsProject } from './own-errors-project.ts';
import type { ServiceConfig } from '../config/config.ts';
import { TokenBucket } from '../common/token-bucket.ts';
import type { Counters } from '../metrics/counters.ts';
import type { ProjectStores } from '../projects/stores.ts';
import type { ErrorStores } from '../errors/store/stores.ts';
import type { ServiceContext } from '../http/service-context.ts';

type Deps = Pick<ProjectStores, 'projects'> &
  Pick<ErrorStores, 'errorEvents' | 'errorSettings'> &
  Pick<ServiceContext, 'events' | 'log' | 'settings'> & {
    readonly config: ServiceConfig;
    readonly counters: Counters;
  };

const burst = 30;
const perMinute = 10;
const maxQueued = 20;

/**
 * Stores Benchport's own errors as events of a project in its own error tracking, within this
 * process and without HTTP, only while that is switched on. Failures in doing so are logged as
 * warnings, which are not stored, so that they cannot cause a loop.
 */
export class OwnErrors {
  #deps: Deps | null = null;
  #announce: ReturnType<typeof announceErrors> = async () => {};
  /** Errors reported before the database was open. */
  #early: OwnError[] = [];
  /** A loop of errors is sufficiently described by its first ones. */
  readonly #rate = new TokenBucket(burst, perMinute / 60, performance.now());

  /** Enables storing and stores the errors reported so far. */
  connect(deps: Deps): void {
    this.#deps = deps;
    this.#announce = announceErrors(deps);
    const early = this.#early;
    this.#early = [];
    for (const error of early) this.report(error);
  }

  /** Reports an error that was logged. */
  logged(error: Error, during: string): void {
    this.report(ownError(error, { source: 'service', during, level: 'error' }));
  }

  /** Reports an error without waiting until it is stored. */
  report(error: OwnError): void {
    const deps = this.#deps;
    if (!deps) {
      if (this.#early.length < maxQueued) this.#early.push(error);
      return;
    }
    void this.#recordOrLog(error, deps);
  }

  async #recordOrLog(error: OwnError, deps: Deps): Promise<void> {
    try {
      await this.record(error);
    } catch (failure) {
      deps.counters.add('own_errors', ['failed']);
      deps.log.warn({ err: failure }, 'an error of Benchport itself was not recorded');
    }
  }

  /** @returns the outcome, once it is on disk. */
  async record(error: OwnError): Promise<'recorded' | 'off' | 'limited'> {
    const outcome = await this.#take(error);
    this.#deps?.counters.add('own_errors', [outcome]);
    return outcome;
  }

  async #take(error: OwnError): Promise<'recorded' | 'off' | 'limited'> {
    const deps = this.#deps;
    if (!deps) return 'off';
    const project = await ownErrorsProject(deps);
    if (!project) return 'off';
    if (this.#rate.refill(performance.now()) < 1) return 'limited';
    this.#rate.take(1);
    const secrets = deps.config.window ? [deps.config.window.secret] : [];
    const environment = deps.config.window ? 'desktop' : 'headless';
    const payload = errorPayload(error, { version: deps.config.version, environment }, secrets);
    const context = { receivedAt: Date.now(), eventId: null, sentAt: null, sdk: null, address: null };
    const event = prepareEvent(Buffer.from(JSON.stringify(payload)), context);
    if (!event) return 'off';
    // 0 stands for no client key, because ids begin with 1.
    const stored = await deps.errorEvents.add({ projectId: project.id, keyId: 0, event, userHash: null });
    await this.#announce(project.id, event, stored);
    return 'recorded';
  }
}
