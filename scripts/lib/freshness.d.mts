/** True if nothing is built, or a source is newer than the build. */
export function isBuildStale(): boolean;
