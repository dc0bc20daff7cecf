import type { ServerStores } from '../../servers/stores.ts';

/** Notices which servers have got another token or certificate, or were added. */
export class ServerAccesses {
  readonly #deps: ServerStores;
  #known = new Map<string, string>();

  constructor(deps: ServerStores) {
    this.#deps = deps;
  }

  /** @returns the base URLs of those that have changed since the last call. */
  async changed(): Promise<readonly string[]> {
    const now = new Map<string, string>();
    for (const { id } of await this.#deps.servers.all()) {
      const access = await this.#deps.servers.source(id);
      if (access) now.set(access.baseUrl, JSON.stringify([access.token, access.certificate]));
    }
    const before = this.#known;
    this.#known = now;
    return [...now].filter(([baseUrl, access]) => before.get(baseUrl) !== access).map(([baseUrl]) => baseUrl);
  }
}
