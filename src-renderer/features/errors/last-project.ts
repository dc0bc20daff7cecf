const storageKey = 'benchport.errors.project';

/** Stored instead of a project's path, which cannot contain a star: the list of all projects. */
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
    // Storage may be forbidden: the first project is then used.
  }
}
