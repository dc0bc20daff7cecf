/**
 * The oldest Node that the native modules are built for; older ones crash without a message when
 * they load them.
 */
export const minNode = [22, 14] as const;

/** @param version as `process.versions.node` states it, such as `24.21.0` */
export function isNodeSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > minNode[0] || (major === minNode[0] && minor >= minNode[1]);
}
