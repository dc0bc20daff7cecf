import type { Logger } from 'pino';
import { onDataThread, DataTaskFailed } from '../backup/data-thread.ts';
import type { Events } from '../common/events.ts';
import type { StartError } from '../common/start-error.ts';
import { markDamaged, markWhole, type LastEnd } from './end-mark.ts';
import { damagedDatabase } from '../database/explain-start-failure.ts';

/**
 * The result of the check of the database after a run that was not ended: a kill, a crash, a power
 * cut. Null after a clean end.
 */
export type EndCheckState = 'checking' | 'whole' | 'damaged' | 'unchecked' | null;

export interface EndCheckDeps {
  readonly config: { readonly dataDir: string; readonly failed?: (error: StartError) => void };
  readonly events: Events;
  readonly log: Logger;
}

/**
 * Checks, while the service runs, whether the database is intact after an unclean end. SQLite
 * promises it; disks do not always keep it.
 */
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

  /** Whether the mark of the run may be removed at its end; otherwise the next run checks again. */
  get settled(): boolean {
    return this.#state === null || this.#state === 'whole';
  }

  /** Starts the check beside the running service; its duration grows with the database. */
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
 * Checks a database that was found damaged again before the service opens it, because it may have
 * been replaced since.
 *
 * @returns how the last run ended, as far as a check of the database is still due.
 * @throws StartError when it is still damaged.
 */
export async function refuseDamaged(dataDir: string, last: LastEnd): Promise<LastEnd> {
  if (last !== 'damaged') return last;
  const damage = await damageOf(dataDir, new AbortController().signal);
  if (damage !== null) throw damagedDatabase(dataDir, damage);
  markWhole(dataDir);
  return 'clean';
}

/** The first damage; null when it is intact. */
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
