import { app } from 'electron';
import type { UpdateSwitches } from '../../../src-preload/bridge.ts';
import type { SendToService } from '../service/service-socket.ts';
import type { ServiceSupervisor } from '../service/service-supervisor.ts';
import { noticeShower } from '../notices/show-notice.ts';
import { describeThisCopy } from './this-copy.ts';
import { updateHindrances } from './update-hindrances.ts';
import { updateNotice, whyUpdatesAreOff } from './update-rules.ts';
import { DesktopUpdates, type UpdateEngine } from './updates.ts';

export interface KeepUpToDateDeps {
  readonly sendToService: SendToService;
  readonly supervisor: ServiceSupervisor;
  readonly desktop: { readonly settings: { readonly updates: UpdateSwitches }; quitNow(): void };
  readonly open: (route: string) => void;
}

/** Sets up the updates of this copy of Benchport. */
export function keepUpToDate({ sendToService, supervisor, desktop, open }: KeepUpToDateDeps): DesktopUpdates {
  const copy = describeThisCopy();
  const show = noticeShower(open);
  const updates = new DesktopUpdates({
    version: app.getVersion(),
    channel: copy.feed?.channel ?? 'latest',
    engine: whyUpdatesAreOff(copy) ?? (async () => engineOf(copy)),
    wants: () => desktop.settings.updates,
    hindrances: async () => updateHindrances(sendToService, supervisor.state),
    tell: (version, isReady) => show(updateNotice(version, isReady)),
    quit: () => desktop.quitNow(),
    now: Date.now,
    later: (act, milliseconds) => void setTimeout(act, milliseconds).unref(),
  });
  updates.start();
  return updates;
}

/** Imported only if this copy can be updated. */
async function engineOf({ feed, key }: ReturnType<typeof describeThisCopy>): Promise<UpdateEngine> {
  if (feed === null) throw new Error('there is no feed');
  const { updateEngine } = await import('./update-engine.ts');
  return updateEngine(feed, key);
}
