import fs from 'node:fs/promises';
import path from 'node:path';

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/** A file of the built user interface. */
export interface RendererFile {
  readonly path: string;
  readonly contentType: string;
}

/**
 * Maps a URL path to a file in the user interface's folder; undefined if it leads outside or cannot
 * be a file. Decodes once, as browsers do, and compares only after resolving to an absolute path.
 */
export function rendererFile(folder: string, pathname: string): RendererFile | undefined {
  const decoded = decode(pathname);
  if (decoded === undefined || decoded.includes('\0') || decoded.includes('\\')) return undefined;
  const file = path.join(folder, decoded);
  const contentType = contentTypes[path.extname(file)];
  if (!file.startsWith(folder + path.sep) || contentType === undefined) return undefined;
  return { path: file, contentType };
}

/** Reads a file of the user interface; undefined if it does not exist. */
export async function readRendererFile(file: RendererFile): Promise<Buffer<ArrayBuffer> | undefined> {
  try {
    return await fs.readFile(file.path);
  } catch {
    return undefined;
  }
}

function decode(pathname: string): string | undefined {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
}
