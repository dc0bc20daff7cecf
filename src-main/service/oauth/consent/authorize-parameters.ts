/** Parameters of the authorization endpoint; all others are ignored (RFC 6749 section 3.1). */
const known = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'state',
  'scope',
  'code_challenge',
  'code_challenge_method',
  'nonce',
  'prompt',
  'max_age',
  'id_token_hint',
  'request',
  'request_uri',
  'registration',
  // Not in a standard: the time at which this request sent its user to sign in again.
  'signed_in_since',
] as const;

export type ParameterName = (typeof known)[number];

/** The parameters of one authorization request. */
export interface AuthorizeParameters {
  /** Undefined for a parameter that is missing, empty (RFC 6749 section 3.1) or repeated. */
  get(name: ParameterName): string | undefined;
  readonly anyRepeated: boolean;
  /** Whether a parameter is written as a structure, such as `scope[]` or `scope[a]`. */
  readonly structured: boolean;
  /** The parameters as a query. */
  toQuery(): URLSearchParams;
}

/** Reads the parameters of a query or a form, in their original order. */
export function readAuthorizeParameters(pairs: URLSearchParams): AuthorizeParameters {
  const values = new Map<string, string>();
  const repeated = new Set<string>();
  let structured = false;
  for (const [name, value] of pairs) {
    if (isKnown(name)) {
      if (values.has(name)) repeated.add(name);
      values.set(name, value);
    } else if (isKnown(name.split('[', 1)[0] ?? '')) structured = true;
  }
  return {
    get: (name) => (repeated.has(name) ? undefined : values.get(name) || undefined),
    anyRepeated: repeated.size > 0,
    structured,
    toQuery: () => new URLSearchParams([...values]),
  };
}

/** Turns a parsed form back into pairs; the form parser makes a list of a repeated name. */
export function pairsOfForm(body: unknown): URLSearchParams {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(typeof body === 'object' && body !== null ? body : {})) {
    for (const one of [value as unknown].flat())
      pairs.append(typeof one === 'string' ? name : `${name}[]`, typeof one === 'string' ? one : '');
  }
  return pairs;
}

function isKnown(name: string): name is ParameterName {
  return (known as readonly string[]).includes(name);
}
