/**
 * Whether an Accept header (RFC 9110 section 12.5.1) names HTML and prefers it to JSON, as browsers
 * do. A wildcard alone does not count.
 */
export function prefersHtml(header: string | undefined): boolean {
  if (header === undefined) return false;
  const weights = new Map<string, number>();
  for (const part of header.split(',')) {
    const [type = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase());
    const quality = parameters.find((one) => one.startsWith('q='))?.slice(2);
    const weight = quality === undefined ? 1 : Number(quality);
    weights.set(type, Number.isFinite(weight) ? weight : 0);
  }
  const html = weights.get('text/html') ?? 0;
  const json = weights.get('application/json') ?? weights.get('application/*') ?? weights.get('*/*') ?? 0;
  return html > json;
}
