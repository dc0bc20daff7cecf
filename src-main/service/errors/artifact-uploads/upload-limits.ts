/**
 * Artifacts are uploaded in chunks named by their SHA-1, a few per request. Sizes are bytes before
 * compression.
 */
export const chunkBytes = 1024 * 1024;
export const maxChunksPerRequest = 4;
/** Four chunks and the headers of their parts. */
export const maxRequestBytes = maxChunksPerRequest * chunkBytes + 64 * 1024;
export const maxBundleBytes = 256 * 1024 * 1024;
/** Limits of the chunks waiting to be assembled, per user and for all users. */
export const maxUserBytes = 2 * maxBundleBytes;
export const maxWaitingBytes = 2 * maxUserBytes;
export const chunkLifetimeMs = 24 * 3600_000;
/** Concurrent requests with chunks; each holds one chunk in memory, compressed and decompressed. */
export const maxConcurrentRequests = 8;

export const maxBundleFiles = 10_000;
/** Limited because the manifest is parsed on the event loop. */
export const maxManifestBytes = 2 * 1024 * 1024;
/**
 * Limit of the source maps of one bundle after unpacking; real ones unpack to about ten times their
 * size.
 */
export const maxUnpackedBytes = 1024 * 1024 * 1024;
/** Above these limits the oldest source maps of a project are removed. */
export const maxProjectMaps = 10_000;
export const maxProjectMapBytes = 4 * 1024 * 1024 * 1024;
