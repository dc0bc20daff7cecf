/** Reads what an SDK sent straight from its payload, without the service's own code, in the order of the stored event. */
type Fields = Record<string, unknown>;

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function sentList(value: unknown): Fields[] {
  const values = Array.isArray(value)
    ? value
    : 'values' in fieldsOf(value)
      ? fieldsOf(value)['values']
      : value === undefined
        ? []
        : [value];
  return (values as unknown[]).map(fieldsOf);
}

// Ruby sends an empty text for a message or a module that is not there.
const orNull = (value: unknown): unknown => (value === '' ? null : (value ?? null));
const line = (value: unknown): unknown => (typeof value === 'string' ? value.replace(/\n$/, '') : null);
const lines = (value: unknown): unknown => ((value ?? []) as unknown[]).filter((one) => one !== null).map(line);

function sentFrames(holder: Fields): unknown[] {
  const frames = (fieldsOf(holder['stacktrace'])['frames'] ?? []) as Fields[];
  return frames.map((frame) => ({
    function: orNull(frame['function']),
    module: orNull(frame['module']),
    filename: orNull(frame['filename']),
    abs_path: orNull(frame['abs_path']),
    line: orNull(frame['lineno']),
    column: orNull(frame['colno']),
    in_app: frame['in_app'] ?? false,
    pre_context: lines(frame['pre_context']),
    context_line: line(frame['context_line']),
    post_context: lines(frame['post_context']),
    vars: orNull(frame['vars']),
  }));
}

/** Everything but the times, which have a clock's drift taken out of them. */
export function sentEvent(payload: Fields, header: Fields): Fields {
  const message = payload['message'];
  const user = Object.fromEntries(Object.entries(fieldsOf(payload['user'])).filter((entry) => entry[1] !== null));
  const { id, ...more } = user;
  const sdk = fieldsOf(payload['sdk'] ?? header['sdk']);
  return {
    event_id: payload['event_id'],
    level: payload['level'] ?? 'error',
    platform: payload['platform'],
    environment: orNull(payload['environment']),
    release: orNull(payload['release']),
    server_name: orNull(payload['server_name']),
    logger: orNull(payload['logger']),
    transaction: orNull(payload['transaction'] ?? payload['culprit']),
    message:
      orNull(message) === null
        ? null
        : {
            formatted: typeof message === 'string' ? message : fieldsOf(message)['formatted'],
            template: null,
            params: null,
          },
    exceptions: sentList(payload['exception']).map((one) => ({
      type: orNull(one['type']),
      value: orNull(one['value']),
      module: orNull(one['module']),
      handled: orNull(fieldsOf(one['mechanism'])['handled']),
      synthetic: false,
      frames: sentFrames(one),
    })),
    threads: sentList(payload['threads']).map((one) => ({
      id: String(one['id']),
      name: orNull(one['name']),
      crashed: one['crashed'] ?? false,
      current: one['current'] ?? false,
      frames: sentFrames(one),
    })),
    tags: Array.isArray(payload['tags']) ? payload['tags'] : Object.entries(fieldsOf(payload['tags'])),
    user: id === undefined ? null : { id, username: null, email: null, ip_address: null, more },
    request: null,
    contexts: JSON.parse(JSON.stringify(payload['contexts'] ?? {}).replaceAll('\\n"', '"')),
    extra: payload['extra'] ?? {},
    modules: Object.fromEntries(Object.entries(fieldsOf(payload['modules'])).filter(([name]) => name !== '')),
    sdk: Object.keys(sdk).length === 0 ? null : { name: sdk['name'], version: sdk['version'] },
    fingerprint: payload['fingerprint'] ?? [],
    shortened: false,
  };
}

/** Every leaf of a payload with its path, positions in lists left out. */
export function leaves(value: unknown, path = ''): (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  const entries = Array.isArray(value) ? value.map((one) => ['*', one] as const) : Object.entries(value);
  return entries.flatMap(([name, one]) => leaves(one, path === '' ? name : `${path}.${name}`));
}
