import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { AskService } from '../service/service-socket.ts';

const localRoutes = '/api/v4/local/';
// What the members of requests are called that name something on this machine.
const members: ReadonlySet<string> = new Set(['path', 'directory', 'target', 'file', 'folder', 'to']);
const inspection = Compile(Type.Object({ path: Type.String() }));
const fetchSettings = Compile(Type.Object({ target: Type.String() }));
const backups = Compile(Type.Object({ schedule: Type.Object({ folder: Type.String() }) }));
const maxRemembered = 10_000;

/**
 * Knows what of this machine the user has chosen: in a dialog, by dropping it, or earlier, as a setting that the service keeps. The page's own word is not
 * enough, because a script in it could have every file of the user registered and read, and what a server chooses fetched to where programs start from.
 */
export class ChosenPaths {
  readonly #paths = new Set<string>();

  /** Whether the paths in a request have to be among the chosen ones. The service decodes an address once before it looks for its route. */
  static concerns(pathname: string): boolean {
    try {
      return decodeURIComponent(pathname).startsWith(localRoutes);
    } catch {
      return false;
    }
  }

  /** True for the request whose answer is to be shown to `observe`. */
  static inspects(method: string, pathname: string): boolean {
    return method === 'POST' && pathname === `${localRoutes}inspect`;
  }

  note(paths: readonly string[]): void {
    for (const path of paths) {
      // The newest last.
      this.#paths.delete(path);
      this.#paths.add(path);
    }
    for (const oldest of this.#paths) {
      if (this.#paths.size <= maxRemembered) return;
      this.#paths.delete(oldest);
    }
  }

  /** Takes note of what the service calls something chosen, when it has looked into it: its path without links. */
  observe(response: unknown): void {
    if (inspection.Check(response)) this.note([response.path]);
  }

  /** Whether all paths in a request were chosen. Only those of which nothing is known here are asked for. */
  async includes(paths: readonly string[], sendToService: AskService): Promise<boolean> {
    const others = paths.filter((path) => !this.#paths.has(path));
    if (others.length === 0) return true;
    const [target, schedule] = await Promise.all(
      ['/api/v4/local/fetch-settings', '/api/v4/backups'].map((address) => sendToService(address).catch(() => null)),
    );
    const kept = [
      ...(fetchSettings.Check(target) ? [target.target] : []),
      ...(backups.Check(schedule) ? [schedule.schedule.folder] : []),
    ];
    return others.every((path) => kept.includes(path));
  }
}

/** The paths in what is sent to a local route. */
export function pathsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    typeof inner === 'string' && members.has(name) ? [inner] : pathsIn(inner),
  );
}
