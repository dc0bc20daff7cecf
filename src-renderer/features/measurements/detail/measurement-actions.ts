import { toApiError } from '../../../api/requests/problem.ts';
import type { AppServices } from '../../../context/context.ts';
import type { MeasurementDetail } from '../../../api/requests/types.ts';
import { copyText } from '../../../ui/controls/clipboard.ts';
import { curlDownload } from '../../../../src-shared/format/commands.ts';
import { countOf } from '../../../../src-shared/format/quantities.ts';

export type Copyable = 'url' | 'curl' | 'manifest' | 'checksums';

const copied: Readonly<Record<Copyable, string>> = {
  url: 'Download URL',
  curl: 'curl line',
  manifest: 'Manifest URL',
  checksums: 'sha256sum list',
};

const severalCopied: Readonly<Record<Copyable, string>> = {
  url: 'download URL',
  curl: 'curl line',
  manifest: 'manifest URL',
  checksums: 'sha256sum list',
};

function textOf(
  detail: MeasurementDetail,
  what: Exclude<Copyable, 'checksums'>,
  { reachable, pin }: Omit<CopySource, 'read'>,
): string {
  switch (what) {
    case 'url':
      return reachable(detail.download_url);
    case 'curl':
      return curlDownload(reachable(detail.download_url), `${detail.id}.zip`, pin);
    case 'manifest':
      return reachable(detail.manifest_url);
  }
}

export interface CopySource {
  readonly read: (id: string) => Promise<MeasurementDetail>;
  /** Makes an address reachable for other machines. */
  readonly reachable: (url: string) => string;
  /** The public key pin for curl; null where it needs none. */
  readonly pin: string | null;
}

/** Copies a value of one or several measurements and confirms it. */
export async function copyOf(
  app: AppServices,
  { read, ...others }: CopySource,
  ids: readonly string[],
  what: Copyable,
): Promise<void> {
  const { show } = app.toasts.getState();
  try {
    const texts: string[] = [];
    for (const id of ids)
      texts.push(
        what === 'checksums' ? (await app.actions.checksums(id)).trimEnd() : textOf(await read(id), what, others),
      );
    await copyText(`${texts.join('\n')}${what === 'checksums' || texts.length > 1 ? '\n' : ''}`);
    const [only] = ids;
    if (ids.length === 1 && only !== undefined) show({ kind: 'plain', text: `${copied[what]} copied`, detail: only });
    else show({ kind: 'plain', text: `${countOf(ids.length, severalCopied[what])} copied` });
  } catch (error) {
    show({ kind: 'bad', text: `${copied[what]} was not copied`, detail: toApiError(error).detail });
  }
}

/** Number of measurements that one request may name. */
const measurementsPerRequest = 1000;

/** Starts a check of every file against its registration; of several measurements as one job. */
export async function verifyAll(app: AppServices, ids: readonly string[]): Promise<void> {
  const { show } = app.toasts.getState();
  for (let at = 0; at < ids.length; at += measurementsPerRequest) {
    const some = ids.slice(at, at + measurementsPerRequest);
    const [first = ''] = some;
    try {
      app.live.getState().putJob(await (some.length === 1 ? app.actions.verify(first) : app.actions.verifyMany(some)));
    } catch (error) {
      const what = some.length === 1 ? first : countOf(some.length, 'measurement');
      show({ kind: 'bad', text: `${what} cannot be verified now`, detail: toApiError(error).detail });
    }
  }
}
