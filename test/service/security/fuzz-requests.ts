import fc from 'fast-check';
import type { Pool } from './fuzz-world.ts';
import type { Target } from './fuzz-targets.ts';
import { type Value, headerNames, names, nasty, types, value } from './fuzz-values.ts';

export interface Wish {
  readonly target: number;
  /** Valid in every part, so that the later steps of a flow are reached. */
  readonly careful: boolean;
  readonly method: string | null;
  readonly inPath: readonly Value[];
  /** The value of each parameter that the route has, or null to omit it. */
  readonly values: readonly (Value | null)[];
  readonly further: readonly (readonly [string, Value])[];
  readonly form: 'form' | 'json' | 'text' | 'broken' | 'mislabelled';
  readonly credential: 'none' | 'session' | 'token' | 'query' | 'basic' | 'rubbish' | 'two';
  readonly choice: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly host: number;
}

export interface ReadyRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** A new address for each request, because limits by address would end the run early. */
  readonly localAddress: string;
}

/** Requests from nearly right to nonsense. */
export const wishes: fc.Arbitrary<Wish> = fc.record({
  target: fc.nat(),
  careful: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 2, arbitrary: fc.constant(false) }),
  method: fc.oneof(
    { weight: 12, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD') },
  ),
  inPath: fc.array(value, { minLength: 2, maxLength: 2 }),
  values: fc.array(fc.option(value, { freq: 6 }), { minLength: 16, maxLength: 16 }),
  further: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 3 }) },
  ),
  form: fc.oneof(
    { weight: 5, arbitrary: fc.constant('form' as const) },
    { weight: 5, arbitrary: fc.constant('json' as const) },
    { weight: 1, arbitrary: fc.constantFrom('text' as const, 'broken' as const, 'mislabelled' as const) },
  ),
  credential: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('none' as const, 'token' as const) },
    { weight: 4, arbitrary: fc.constant('session' as const) },
    { weight: 1, arbitrary: fc.constantFrom('query' as const, 'basic' as const, 'rubbish' as const, 'two' as const) },
  ),
  choice: fc.nat(),
  headers: fc.array(fc.tuple(fc.constantFrom(...headerNames), fc.oneof(fc.constantFrom(...nasty), fc.string())), {
    maxLength: 2,
  }),
  host: fc.integer({ min: 2, max: 0xff_ff_fd }),
});

/**
 * Names of values that later requests need; other members of responses would only dilute the pool.
 */
export const learned: ReadonlySet<string> = new Set([
  'code',
  'request',
  'csrf_token',
  'form_token',
  'refresh_token',
  'device_code',
  'user_code',
  'token',
  'access_token',
  'cookie',
  'form cookie',
]);

const forClients = /^\/oauth\/(token|revoke|introspect|authorize_device)$/;

function asItShouldBe(wish: Wish, target: Target): Wish {
  const n = wish.choice;
  const session = n % 3 > 0;
  const own: Partial<Wish> = {
    method: null,
    inPath: [{ fitting: n }, { fitting: n }],
    further: [],
    headers: [],
    credential: forClients.test(target.path) ? 'none' : session ? 'session' : 'token',
  };
  return {
    ...wish,
    ...own,
    form: session || n % 2 === 0 ? 'form' : 'json',
    values: wish.values.map(() => ({ fitting: n })),
  };
}

/** Builds a request with the values that are known by now. */
export function ready(wished: Wish, targets: readonly Target[], pool: Pool): ReadyRequest {
  const target = targets[wished.target % targets.length] ?? { method: 'GET', path: '/', query: [], body: [] };
  const wish = wished.careful ? asItShouldBe(wished, target) : wished;
  const pick = (name: string, n: number): unknown => {
    const list = pool.get(name) ?? [];
    // A client and its secret share an index; unrelated values have independent ones.
    const own = name.startsWith('client_') ? n : n >>> (name.length % 11);
    // The newest values mostly belong together.
    return learned.has(name) && n % 4 > 0 ? list.at(-1 - (n % 2)) : list[own % list.length];
  };
  const anything = [...pool.values()].flat();
  const resolve = (name: string, one: Value): unknown => {
    if ('json' in one) return one.json;
    if ('known' in one) return anything[one.known % anything.length];
    return pick(name, one.fitting) ?? (wish.careful ? 'fuzz' : nasty[one.fitting % nasty.length]);
  };
  const fields = (of: readonly string[], offset: number): [string, unknown][] => {
    const own = of.flatMap((name, index): [string, unknown][] => {
      const one = wish.values[(index + offset) % wish.values.length];
      return one ? [[name, resolve(name, one)]] : [];
    });
    return [...own, ...wish.further.map(([name, one]): [string, unknown] => [name, resolve(name, one)])];
  };

  let place = 0;
  const path = target.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const one = wish.inPath[place++ % wish.inPath.length];
    return encoded(
      textOf(
        one
          ? 'fitting' in one
            ? (pick(`${name} in the path`, one.fitting) ?? (one.fitting % 8) + 1)
            : resolve(name, one)
          : 1,
      ),
    );
  });
  const query = fields(target.query, 0).map(([name, one]) => `${encoded(name)}=${encoded(textOf(one))}`);
  const headers: Record<string, string> = {};
  for (const [name, text] of wish.headers) headers[name] = text;
  const token = () => textOf(pick('access_token', wish.choice) ?? '');
  if (wish.credential === 'token' || wish.credential === 'two')
    headers[wish.choice % 2 === 0 ? 'authorization' : 'private-token'] =
      `${wish.choice % 2 === 0 ? 'Bearer ' : ''}${token()}`;
  if (wish.credential === 'query' || wish.credential === 'two') query.push(`access_token=${encoded(token())}`);
  if (wish.credential === 'basic')
    headers['authorization'] =
      `Basic ${Buffer.from(['client_id', 'client_secret'].map((name) => textOf(pick(name, wish.choice))).join(':')).toString('base64')}`;
  if (wish.credential === 'rubbish') headers['authorization'] = nasty[wish.choice % nasty.length] ?? '';
  const cookies = [`benchport_form=${textOf(pick('form cookie', wish.choice) ?? '')}`];
  if (wish.credential === 'session') {
    const cookie = textOf(pick('cookie', wish.choice) ?? '');
    cookies.push(`benchport_session=${cookie}`);
    // The service returned the token for this cookie; forms have their own.
    headers['x-csrf-token'] = textOf(pick(`csrf of ${cookie}`, 0) ?? '');
  }
  if (wish.credential !== 'token') headers['cookie'] = cookies.join('; ');
  const method = wish.method ?? target.method;
  const bodied = method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
  const made = bodied ? bodyOf(wish, fields(target.body, 3)) : null;
  if (made)
    Object.assign(headers, { 'content-type': made.type, 'content-length': String(Buffer.byteLength(made.text)) });
  return {
    method,
    path: `${path}${query.length === 0 ? '' : `?${query.join('&')}`}`,
    headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, headerText(text)])),
    body: made?.text ?? null,
    localAddress: `127.${(wish.host >> 16) & 255}.${(wish.host >> 8) & 255}.${Math.max(2, wish.host & 255)}`,
  };
}

function bodyOf(
  wish: Wish,
  fields: readonly (readonly [string, unknown])[],
): { readonly type: string; readonly text: string } {
  const form = fields.map(([name, one]) => `${encoded(name)}=${encoded(textOf(one))}`).join('&');
  const json = JSON.stringify(Object.fromEntries(fields));
  // A form cannot express lists and booleans.
  const plain = fields.every(([, one]) => typeof one === 'string');
  if (wish.form === 'form' && (plain || !wish.careful))
    return { type: 'application/x-www-form-urlencoded', text: form };
  if (wish.form === 'json' || wish.form === 'form') return { type: 'application/json', text: json };
  const type = types[wish.choice % types.length] ?? '';
  if (wish.form === 'text') return { type, text: form };
  if (wish.form === 'broken')
    return { type: 'application/json', text: json.slice(0, -1 - (wish.choice % Math.max(1, json.length))) };
  return { type, text: wish.choice % 2 === 0 ? json : JSON.stringify(fields) };
}

function textOf(one: unknown): string {
  return typeof one === 'string' ? one : (JSON.stringify(one) ?? '');
}

// Mostly percent-encoded correctly, sometimes truncated.
function encoded(text: string): string {
  return text.includes('%')
    ? text.replaceAll(/[^\x21-\x7e]|[#?]/g, '')
    : encodeURIComponent(Buffer.from(text).toString());
}

function headerText(text: string): string {
  return text.replaceAll(/[^\x20-\x7e\x80-\xff]/g, '');
}
