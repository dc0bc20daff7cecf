import type { StackFrame } from '../../contract/errors.ts';
import { fileName, isBundle } from './file-name.ts';
import { functionName, jvmName } from './function-name.ts';

const maxNameLength = 512;
// Hand-written code has no columns beyond this.
const builtColumn = 300;

/** Returns a frame's name for grouping: module (else file) and function, never the line. */
export function frameName(frame: StackFrame, platform: string): string {
  const name = functionName(frame.function, platform);
  const module = moduleName(frame, platform);
  return `${module} ${name}`.slice(0, maxNameLength);
}

function moduleName(frame: StackFrame, platform: string): string {
  // `__main__` is the program itself and tells nothing about the module.
  const module = frame.module === '__main__' ? null : frame.module;
  if (module === null || module === '') return fileName(frame.filename ?? frame.abs_path);
  if (platform === 'java') return jvmName(module);
  // A vendored package counts as the package itself.
  if (platform === 'go') return module.slice(module.lastIndexOf('/vendor/') + 1).replace(/^vendor\//, '');
  return module.slice(0, maxNameLength);
}

/**
 * Whether a bundler has minified the function's name, so that the next build may give it to another
 * function.
 */
export function isMinified(frame: StackFrame, platform: string): boolean {
  if (platform !== 'javascript' && platform !== 'node') return false;
  const name = functionName(frame.function, platform);
  const built = isBundle(frame.filename ?? frame.abs_path) || (frame.column ?? 0) >= builtColumn;
  if (name === '') return built;
  const short = name.split('.').every((part) => /^[\w$]{1,2}$|^[\w$](?:[A-Z0-9$][\w$]|[\w$][A-Z0-9$])$/.test(part));
  return short && (built || platform === 'javascript');
}
