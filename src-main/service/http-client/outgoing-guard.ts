import { lookup as systemLookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { judgeAddress, type AddressKind, type JudgedAddress } from './address-kind.ts';
import { hostOf, type AllowedHost } from './allowed-hosts.ts';
import { HttpRequestError, toHttpRequestError } from './http-request-error.ts';
import { portOf } from './server-url.ts';

/** A URL leads to an address that the service does not connect to. Its message says what to do. */
export class OutgoingRefused extends HttpRequestError {
  /** Whether an administrator can allow it: it is private, and no address of it is worse. */
  readonly canBeAllowed: boolean;

  constructor(kind: Exclude<AddressKind, 'public'>, url: URL) {
    super('address-refused', refusalText(kind, url));
    this.name = 'OutgoingRefused';
    this.canBeAllowed = kind === 'private';
  }
}

/** Decides where requests may go. */
export interface OutgoingGuard {
  /**
   * The lookup of names for connections to a URL, which yields only addresses that may be reached.
   * A connection goes to what its own lookup yielded, so that a name cannot lead elsewhere later.
   *
   * @throws HttpRequestError for an unusable URL, and OutgoingRefused for an address that is refused.
   */
  readonly lookupFor: (url: URL) => LookupFunction;
  /**
   * Looks a URL's host up now, for an answer before anything is sent or stored.
   *
   * @throws OutgoingRefused, or HttpRequestError for a name that cannot be looked up.
   */
  readonly check: (url: URL) => Promise<void>;
}

/** Resolves a name to all of its addresses, as `dns.lookup` does. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Whether a URL may be reached at one of its addresses. */
type Policy = (url: URL, judged: JudgedAddress) => boolean;

/**
 * A guard for addresses that users choose: public ones, and private ones on the list of an
 * administrator.
 */
export function outgoingGuard(allowed: readonly AllowedHost[], resolve: Resolve = systemLookup): OutgoingGuard {
  return guardOf((url, { kind, address }) => {
    if (kind !== 'private') return kind === 'public';
    const host = hostOf(url);
    const port = portOf(url);
    return allowed.some((entry) => (entry.port ?? port) === port && entry.matches(host, address));
  }, resolve);
}

/**
 * A guard for servers that the owner enters at the machine, which allows them by name: also private
 * ones, and those at the other end of a cable, which have addresses of the local link.
 */
export function ownerGuard(resolve: Resolve = systemLookup): OutgoingGuard {
  return guardOf((_url, { kind }) => kind !== 'metadata' && kind !== 'reserved', resolve);
}

function guardOf(policy: Policy, resolve: Resolve): OutgoingGuard {
  function lookupFor(url: URL): LookupFunction {
    requireUsable(url);
    const host = hostOf(url);
    if (isIP(host) !== 0) requireSome(url, [{ address: host, family: isIP(host) }], policy);
    return (hostname, options, callback) => {
      resolve(hostname, { ...options, all: true }, (error, found) => {
        if (error) return callback(error, '', 0);
        try {
          const usable = requireSome(url, found, policy);
          const [first] = usable;
          if (options.all !== true) return callback(null, first.address, first.family);
          // The callback's type is that of one address.
          return (callback as unknown as (error: null, addresses: readonly LookupAddress[]) => void)(null, usable);
        } catch (refused) {
          return callback(refused as NodeJS.ErrnoException, '', 0);
        }
      });
    };
  }
  return {
    lookupFor,
    check: async (url) => {
      const lookup = lookupFor(url);
      const host = hostOf(url);
      if (isIP(host) !== 0) return;
      await new Promise<void>((done, fail) => {
        lookup(host, { all: true }, (error) => (error ? fail(toHttpRequestError(error, url)) : done()));
      });
    },
  };
}

function requireUsable(url: URL): void {
  if (!/^https?:$/.test(url.protocol) || url.hostname === '' || url.username !== '' || url.password !== '')
    throw new HttpRequestError(
      'address-unusable',
      'The address must begin with http:// or https:// and have no user name or password.',
    );
}

/** The addresses that may be reached. @throws OutgoingRefused if none may. */
function requireSome(
  url: URL,
  found: readonly LookupAddress[],
  policy: Policy,
): readonly [LookupAddress, ...LookupAddress[]] {
  const judged = found.map((one) => ({ one, judgement: judgeAddress(one.address) }));
  const [first, ...rest] = judged.filter(({ judgement }) => policy(url, judgement)).map(({ one }) => one);
  if (first) return [first, ...rest];
  const refused = judged.map(({ judgement }) => judgement.kind).filter((kind) => kind !== 'public');
  throw new OutgoingRefused(refused.find((kind) => kind !== 'private') ?? refused[0] ?? 'reserved', url);
}

/** Names no address that a name was resolved to, because that tells of the network within. */
function refusalText(kind: Exclude<AddressKind, 'public'>, url: URL): string {
  const host = hostOf(url);
  const is = isIP(host) === 0 ? `${host} leads to` : `${host} is`;
  switch (kind) {
    case 'private':
      return `${is} an address of the private network. An administrator can allow it under Settings > Outgoing requests.`;
    case 'link-local':
    case 'metadata':
      return `${is} an address of the local link or of a cloud's metadata service, and Benchport does not connect there. Check the address.`;
    case 'reserved':
      return `${is} a reserved address that no server can have, and Benchport does not connect there. Check the address.`;
  }
}
