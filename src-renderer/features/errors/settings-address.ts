/** Where a project's error tracking is set up: its keys, and what to paste into programs. */
export function settingsAddress(path: string): string {
  return `/ui/projects/${encodeURIComponent(path)}/settings`;
}
