/** How artifacts are sent: in chunks named by their SHA-1, a few to a request. Sizes are bytes before compression. */
export const chunkBytes = 1024 * 1024;
export const maxChunksPerRequest = 4;
/** Four chunks and the heads of their parts. */
export const maxRequestBytes = maxChunksPerRequest * chunkBytes + 64 * 1024;
export const maxBundleBytes = 256 * 1024 * 1024;
/** Chunks of one user that wait to be assembled, and those of all users. */
export const maxUserBytes = 2 * maxBundleBytes;
export const maxWaitingBytes = 2 * maxUserBytes;
export const chunkLifetimeMs = 24 * 3600_000;
/** Requests with chunks that are read at once; each holds one chunk, packed and unpacked. */
export const maxConcurrentRequests = 8;

export const maxBundleFiles = 10_000;
/** It is parsed on the event loop. */
export const maxManifestBytes = 2 * 1024 * 1024;
/** Source maps of one bundle after unpacking; real ones unpack to about ten times their size. */
export const maxUnpackedBytes = 1024 * 1024 * 1024;
/** What a project keeps: beyond these its oldest source maps are removed. */
export const maxProjectMaps = 10_000;
export const maxProjectMapBytes = 4 * 1024 * 1024 * 1024;
