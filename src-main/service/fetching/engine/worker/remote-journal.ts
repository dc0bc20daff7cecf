import type { Remote } from '../../../workers/rpc.ts';
import type { Journal } from '../types.ts';

/** The journal as seen by the worker thread: each call is a message, and so is its response. */
export function remoteJournal(caller: Remote<Journal>): Journal {
  const call: Remote<Journal>['call'] = async (method, args) => {
    try {
      return await caller.call(method, args);
    } catch (error) {
      throw new Error(`the journal failed: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
  };
  return {
    begin: async (...args) => call('begin', args),
    addFiles: async (...args) => call('addFiles', args),
    openFiles: async (...args) => call('openFiles', args),
    doneFiles: async (...args) => call('doneFiles', args),
    standing: async (...args) => call('standing', args),
    pieces: async (...args) => call('pieces', args),
    record: async (...args) => call('record', args),
    log: async (...args) => call('log', args),
  };
}

/** The journal as served to the worker thread. */
export function servedJournal(journal: Journal): Journal {
  return {
    begin: async (...args) => journal.begin(...args),
    addFiles: async (...args) => journal.addFiles(...args),
    openFiles: async (...args) => journal.openFiles(...args),
    doneFiles: async (...args) => journal.doneFiles(...args),
    standing: async (...args) => journal.standing(...args),
    pieces: async (...args) => journal.pieces(...args),
    record: async (...args) => journal.record(...args),
    log: async (...args) => journal.log(...args),
  };
}
