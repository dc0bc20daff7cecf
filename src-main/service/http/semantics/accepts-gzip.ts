/** Whether a client takes gzip (RFC 9110 section 12.5.3): named, or `*`, and not with weight 0. */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  let any = false;
  for (const element of String(header ?? '').split(',')) {
    // Blanks are trimmed off and not searched for: a long row of them would be looked at anew from each.
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
