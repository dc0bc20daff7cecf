/** The oldest Node that the modules with machine code are built for; older ones end the process without a word when they load them. */
export const minNode = [22, 14] as const;

/** @param version as `process.versions.node` states it, such as `24.21.0` */
export function isNodeSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > minNode[0] || (major === minNode[0] && minor >= minNode[1]);
}
