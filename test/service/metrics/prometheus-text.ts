/** A line with a value. */
export interface ParsedSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface ParsedFamily {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly ParsedSample[];
}

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const labelName = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
const number = /^[+-]?(?:\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|Inf|NaN)$/;

/**
 * Parses Prometheus' text format 0.0.4 strictly: each family in one piece with HELP and TYPE first,
 * no series twice, no stray white space, a final line break. @throws Error that names the line.
 */
export function parsePrometheusText(text: string): readonly ParsedFamily[] {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const families = new Map<string, { name: string; type: string; help: string; samples: ParsedSample[] }>();
  const series = new Set<string>();
  let now: { name: string; type: string; help: string; samples: ParsedSample[] } | null = null;
  let help: { name: string; text: string } | null = null;
  for (const line of text.slice(0, -1).split('\n')) {
    const comment = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line);
    if (comment) {
      const [, kind, name = '', rest = ''] = comment;
      if (!metricName.test(name)) throw new Error(`no name: ${line}`);
      if (kind === 'HELP') {
        if (families.has(name)) throw new Error(`a second time: ${line}`);
        if (!/^(?:[^\\]|\\[\\n])*$/.test(rest)) throw new Error(`escaped wrongly: ${line}`);
        help = { name, text: rest };
      } else {
        if (help?.name !== name) throw new Error(`TYPE without HELP before it: ${line}`);
        if (!['counter', 'gauge', 'histogram', 'summary', 'untyped'].includes(rest))
          throw new Error(`no type: ${line}`);
        now = { name, type: rest, help: help.text, samples: [] };
        families.set(name, now);
        help = null;
      }
      continue;
    }
    const sample = readSample(line);
    if (!now || baseName(sample.name, now.type) !== now.name) throw new Error(`not of the family before it: ${line}`);
    const key = `${sample.name} ${JSON.stringify(Object.entries(sample.labels).toSorted(([a], [b]) => a.localeCompare(b)))}`;
    if (series.has(key)) throw new Error(`a second time: ${line}`);
    series.add(key);
    now.samples.push(sample);
  }
  return [...families.values()];
}

function baseName(name: string, type: string): string {
  const suffix = type === 'summary' ? /_(?:sum|count)$/ : type === 'histogram' ? /_(?:sum|count|bucket)$/ : /$^/;
  return name.replace(suffix, '');
}

function readSample(line: string): ParsedSample {
  const match = /^([^\s{]+)(?:\{(.*)\})? (\S+)$/.exec(line);
  const [, name = '', inner, value = ''] = match ?? [];
  if (!metricName.test(name)) throw new Error(`no sample: ${line}`);
  if (!number.test(value)) throw new Error(`no number: ${line}`);
  const labels: Record<string, string> = {};
  let rest = inner ?? '';
  while (rest !== '') {
    const pair = /^([^=]+)="((?:[^"\\\n]|\\["\\n])*)"(,(?=.)|$)/.exec(rest);
    if (!pair) throw new Error(`labels are not well formed: ${line}`);
    const [all, label = '', text = ''] = pair;
    if (!labelName.test(label) || label.startsWith('__') || label in labels) throw new Error(`no label: ${line}`);
    labels[label] = text.replaceAll(/\\(["\\n])/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));
    rest = rest.slice(all.length);
  }
  return {
    name,
    labels,
    value: value.endsWith('Inf') ? (value.startsWith('-') ? -Infinity : Infinity) : Number(value),
  };
}

const otherUnits =
  /(?:^|_)(?:milliseconds?|microseconds?|nanoseconds?|ms|us|ns|minutes?|hours?|days?|weeks?|kb|mb|gb|kib|mib|gib|kilobytes?|megabytes?|gigabytes?|bits?|percent)(?:_|$)/;

/**
 * Checks names and labels against "Metric and label naming" and promtool's rules. @returns the
 * violations.
 */
export function lintFamilies(families: readonly ParsedFamily[]): readonly string[] {
  return families.flatMap(({ name, type, help, samples }) => {
    const wrong: string[] = [];
    if (help.trim() === '') wrong.push(`${name} has no help`);
    if (name !== name.toLowerCase() || name.includes(':'))
      wrong.push(`${name} is not written in small letters with underscores`);
    if (type === 'counter' && !name.endsWith('_total')) wrong.push(`${name} is a counter and does not end in _total`);
    if (type !== 'counter' && /_(?:total|count|sum|bucket)$/.test(name))
      wrong.push(`${name} is no counter and ends like one`);
    if (new RegExp(`_(?:counter|gauge|summary|histogram|metric)(?:_|$)`).test(name))
      wrong.push(`${name} has its type in its name`);
    if (otherUnits.test(name)) wrong.push(`${name} is not in a base unit`);
    if (samples.length === 0) wrong.push(`${name} has no values`);
    for (const { labels, value, name: of } of samples) {
      if (type !== 'summary' && 'quantile' in labels) wrong.push(`${name} has the label quantile and is no summary`);
      if (type !== 'histogram' && 'le' in labels) wrong.push(`${name} has the label le and is no histogram`);
      if (Object.keys(labels).some((label) => label !== label.toLowerCase()))
        wrong.push(`${name} has a label with large letters`);
      if ((type === 'counter' || of !== name) && !(value >= 0)) wrong.push(`${of} is below zero`);
      if (name.endsWith('_info') && value !== 1) wrong.push(`${name} is not 1`);
    }
    return wrong;
  });
}
