// The locale for started processes.

/**
 * The environment with a UTF-8 locale. In the C locale, the default of an unconfigured machine,
 * Chromium gives no path for a dropped file whose name is not ASCII.
 */
export function withUtf8(environment) {
  const locale = environment.LC_ALL || environment.LC_CTYPE || environment.LANG || '';
  if (process.platform !== 'linux' || /utf-?8/i.test(locale)) return environment;
  return { ...environment, [environment.LC_ALL ? 'LC_ALL' : 'LC_CTYPE']: 'C.UTF-8' };
}
