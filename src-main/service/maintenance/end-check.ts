import type { Logger } from 'pino';
import { onDataThread, DataTaskFailed } from '../backup/data-thread.ts';
import type { Events } from '../common/events.ts';
import type { StartError } from '../common/start-error.ts';
import { markDamaged, markWhole, type LastEnd } from './end-mark.ts';
import { damagedDatabase } from '../database/explain-start-failure.ts';

/** What is known of the database after a run that was not ended: a kill, a crash, a power cut. Null after an ordinary end. */
export type EndCheckState = 'checking' | 'whole' | 'damaged' | 'unchecked' | null;

export interface EndCheckDeps {
  readonly config: { readonly dataDir: string; readonly failed?: (error: StartError) => void };
  readonly events: Events;
  readonly log: Logger;
}

/** Looks, beside the running service, whether the database is whole after an end that was not clean. SQLite promises it; disks do not always. */
export class EndCheck {
  readonly #deps: EndCheckDeps;
  readonly #stopping = new AbortController();
  #state: EndCheckState = null;

  constructor(deps: EndCheckDeps) {
    this.#deps = deps;
  }

  get state(): EndCheckState {
    return this.#state;
  }

  /** Whether the mark of the run may go with its end: what is not known to be whole is looked at again. */
  get settled(): boolean {
    return this.#state === null || this.#state === 'whole';
  }

  /** With the service running: takes as long as the database is large. */
  after(last: LastEnd): void {
    if (last === 'clean') return;
    this.#set('checking');
    void this.#look();
  }

  stop(): void {
    this.#stopping.abort(new Error('the service is stopping'));
  }

  async #look(): Promise<void> {
    const { config, log } = this.#deps;
    const began = performance.now();
    try {
      const damage = await damageOf(config.dataDir, this.#stopping.signal);
      const durationMs = Math.round(performance.now() - began);
      if (damage === null) {
        log.warn(
          { milliseconds: durationMs },
          'the service was not ended properly last time; the database was checked and is whole',
        );
        this.#set('whole');
        return;
      }
      log.fatal(
        { damage, milliseconds: durationMs },
        'the service was not ended properly last time, and the database is damaged',
      );
      markDamaged(config.dataDir);
      this.#set('damaged');
      config.failed?.(damagedDatabase(config.dataDir, damage));
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      log.error({ err: error }, 'the database could not be checked after an end that was not clean');
      this.#set('unchecked');
    }
  }

  #set(state: EndCheckState): void {
    this.#state = state;
    this.#deps.events.emit('changed', { topic: 'service' });
  }
}

/**
 * Before the service opens the database: what was found damaged is looked at again first, because it may have been replaced since.
 *
 * @returns how the last run ended, as far as a look at the database is still due.
 * @throws StartError when it still is.
 */
export async function refuseDamaged(dataDir: string, last: LastEnd): Promise<LastEnd> {
  if (last !== 'damaged') return last;
  const damage = await damageOf(dataDir, new AbortController().signal);
  if (damage !== null) throw damagedDatabase(dataDir, damage);
  markWhole(dataDir);
  return 'clean';
}

/** The first damage; null when it is whole. */
async function damageOf(dataDir: string, signal: AbortSignal): Promise<string | null> {
  try {
    return await onDataThread({ kind: 'check', dataDir }, signal);
  } catch (error) {
    // So badly damaged that even the check cannot read it.
    if (error instanceof DataTaskFailed && error.sqlite !== null && /^SQLITE_(CORRUPT|NOTADB)/.test(error.sqlite))
      return error.sqlite;
    throw error;
  }
}
