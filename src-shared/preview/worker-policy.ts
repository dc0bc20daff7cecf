/**
 * The Content-Security-Policy of the worker that reads files for previews. A worker from the
 * network has the policy of its own response, so WebAssembly (HDF5) is allowed here alone and the
 * pages keep their stricter policy. Nothing but the own origin can be requested.
 */
export const previewWorkerPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self'",
].join('; ');

/** Whether a path of the user interface is that worker, as the build names it and as in development. */
export function isPreviewWorker(pathname: string): boolean {
  return /(?:^|\/)preview-worker(?:-[\w-]+\.js|\.ts)$/.test(pathname);
}
