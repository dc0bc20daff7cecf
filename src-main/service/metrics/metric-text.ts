/** One line: a value with labels. The suffix is for the lines of a summary. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  readonly suffix?: '_sum' | '_count';
}

/** All samples of one metric. */
export interface Family {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'summary';
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** Prometheus' text format, version 0.0.4. A family without samples is omitted. */
export function metricText(families: readonly Family[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, type, help, samples }) => {
      const head = `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n`;
      return (
        head +
        samples
          .map((sample) => `${name}${sample.suffix ?? ''}${labelText(sample.labels)} ${valueText(sample.value)}\n`)
          .join('')
      );
    })
    .join('');
}

/** A family with one value and no labels. */
export function single(name: string, type: 'counter' | 'gauge', help: string, value: number): Family {
  return { name, type, help, samples: [{ labels: {}, value }] };
}

/** A family with one value per value of a label. */
export function byLabel(
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  label: string,
  values: Iterable<readonly [labelValue: string, value: number]>,
): Family {
  return {
    name,
    type,
    help,
    samples: [...values].map(([labelValue, value]) => ({ labels: { [label]: labelValue }, value })),
  };
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`,
  );
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function valueText(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}
