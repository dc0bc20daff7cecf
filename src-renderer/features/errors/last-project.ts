const storageKey = 'benchport.errors.project';

/** In place of a project's path, which has no star: the list over all of them. */
export const allProjects = '*';

/** The project whose errors were last viewed in this browser. */
export function lastProject(): string | null {
  try {
    return window.localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

/** Stores the project whose errors are being viewed. */
export function keepLastProject(path: string): void {
  try {
    window.localStorage.setItem(storageKey, path);
  } catch {
    // Storage may be forbidden: then the first project counts.
  }
}
