/** Whether nothing is built, or some source is newer than the build. */
export function isBuildStale(): boolean;
