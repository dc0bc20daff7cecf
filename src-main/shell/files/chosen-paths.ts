import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { SendToService } from '../service/service-socket.ts';

const localRoutes = '/api/v4/local/';
// Names of request members that hold a path of this machine.
const members: ReadonlySet<string> = new Set(['path', 'directory', 'target', 'file', 'folder', 'to']);
const inspection = Compile(Type.Object({ path: Type.String() }));
const fetchSettings = Compile(Type.Object({ target: Type.String() }));
const captures = Compile(Type.Array(Type.Object({ folder: Type.String() })));
const backups = Compile(Type.Object({ schedule: Type.Object({ folder: Type.String() }) }));
const maxRemembered = 10_000;

/**
 * Tracks which paths of this machine the user has chosen: in a dialog, by dropping them, or
 * earlier, as a setting stored by the service. The page is not trusted, because an injected script
 * could otherwise register and read every file of the user, or fetch files from a server into
 * autostart folders.
 */
export class ChosenPaths {
  readonly #paths = new Set<string>();

  /**
   * Whether the paths in a request must be among the chosen ones. The service decodes the path once
   * before routing, so this does too.
   */
  static concerns(pathname: string): boolean {
    try {
      return decodeURIComponent(pathname).startsWith(localRoutes);
    } catch {
      return false;
    }
  }

  /** True for the request whose response must be passed to `observe`. */
  static inspects(method: string, pathname: string): boolean {
    return method === 'POST' && pathname === `${localRoutes}inspect`;
  }

  note(paths: readonly string[]): void {
    for (const path of paths) {
      // Re-inserting moves a path to the end, so that the oldest is dropped first.
      this.#paths.delete(path);
      this.#paths.add(path);
    }
    for (const oldest of this.#paths) {
      if (this.#paths.size <= maxRemembered) return;
      this.#paths.delete(oldest);
    }
  }

  /**
   * Adds the path that the service resolved while inspecting a chosen one: without symbolic links.
   */
  observe(response: unknown): void {
    if (inspection.Check(response)) this.note([response.path]);
  }

  /**
   * Whether all paths of a request were chosen. The service's settings are read only for paths not
   * known here.
   */
  async includes(paths: readonly string[], sendToService: SendToService): Promise<boolean> {
    const others = paths.filter((path) => !this.#paths.has(path));
    if (others.length === 0) return true;
    const stored = ['/api/v4/local/fetch-settings', '/api/v4/backups', '/api/v4/local/captures'];
    const [target, schedule, rules] = await Promise.all(
      stored.map((address) => sendToService(address).catch(() => null)),
    );
    const kept = [
      ...(fetchSettings.Check(target) ? [target.target] : []),
      ...(backups.Check(schedule) ? [schedule.schedule.folder] : []),
      ...(captures.Check(rules) ? rules.map(({ folder }) => folder) : []),
    ];
    return others.every((path) => kept.includes(path));
  }
}

/** The paths in the query or body of a request to a local route. */
export function pathsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    typeof inner === 'string' && members.has(name) ? [inner] : pathsIn(inner),
  );
}
