/**
 * Whether a client accepts gzip (RFC 9110 section 12.5.3): named, or `*`, and not with weight 0.
 */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  let any = false;
  for (const element of String(header ?? '').split(',')) {
    // Whitespace is trimmed instead of matched by a pattern: a pattern takes quadratic time on a
    // long run of it.
    const [coding = '', ...parameters] = element
      .toLowerCase()
      .split(';')
      .map((text) => text.trim());
    const refused = parameters.some((parameter) => /^q=0(?:\.0{0,3})?$/.test(parameter));
    if (coding === 'gzip' || coding === 'x-gzip') return !refused;
    if (coding === '*') any = !refused;
  }
  return any;
}
