import { Provider, type AppUpdater, type ResolvedUpdateFileInfo } from 'electron-updater';
import { parseUpdateInfo, resolveFiles, type ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider.js';
import { onlyOverHttps, type UpdateFeed } from './update-rules.ts';
import { verifyFeed } from './update-signature.ts';

type UpdateInfo = ReturnType<typeof parseUpdateInfo>;
type SignedFeed = new (options: unknown, updater: AppUpdater, runtime: ProviderRuntimeOptions) => Provider<UpdateInfo>;

/**
 * electron-updater's generic feed, a folder on a web server, extended with a signature beside each
 * channel file (`latest-linux.yml` and `latest-linux.yml.sig`).
 * @param key as for `verifyFeed`.
 */
export function signedFeed({ url, channel }: UpdateFeed, key: string): SignedFeed {
  const folder = new URL(url.endsWith('/') ? url : `${url}/`);
  return class extends Provider<UpdateInfo> {
    constructor(_options: unknown, _updater: AppUpdater, runtime: ProviderRuntimeOptions) {
      super(runtime);
    }

    async getLatestVersion(): Promise<UpdateInfo> {
      const name = `${this.getCustomChannelName(channel)}.yml`;
      const address = new URL(name, folder);
      const text = (await this.httpRequest(address)) ?? '';
      const signature = (await this.httpRequest(new URL(`${name}.sig`, folder))) ?? '';
      verifyFeed({ name, text, signature }, key, Date.now());
      return parseUpdateInfo(text, name, address);
    }

    resolveFiles(info: UpdateInfo): ResolvedUpdateFileInfo[] {
      return onlyOverHttps(resolveFiles(info, folder));
    }
  };
}
