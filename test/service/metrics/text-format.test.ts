import { describe, expect, test } from 'vitest';
import { metricText } from '../../../src-main/service/metrics/metric-text.ts';
import { lintFamilies, parsePrometheusText, type ParsedFamily } from './prometheus-text.ts';

describe('the text format', () => {
  test('can be read back by a strict parser', () => {
    const value = 'quotes " back\\slash\nline';
    const text = metricText([
      {
        name: 'a_total',
        type: 'counter',
        help: 'One\nline \\ here',
        samples: [{ labels: { x: value, y: '' }, value: 1e21 }],
      },
      { name: 'b', type: 'gauge', help: 'B', samples: [{ labels: {}, value: Number.NaN }] },
      { name: 'c', type: 'gauge', help: 'Nothing', samples: [] },
    ]);
    const [a, b, ...more] = parsePrometheusText(text);
    expect(a?.samples).toEqual([{ name: 'a_total', labels: { x: value, y: '' }, value: 1e21 }]);
    expect(b?.samples[0]?.value).toBeNaN();
    expect(more).toEqual([]);
  });

  test.each([
    ['without an end', '# HELP a A\n# TYPE a gauge\na 1'],
    ['without help', '# TYPE a gauge\na 1\n'],
    ['torn apart', '# HELP a A\n# TYPE a gauge\na 1\n# HELP b B\n# TYPE b gauge\nb 1\na{x="1"} 1\n'],
    ['a series twice', '# HELP a A\n# TYPE a gauge\na{x="1"} 1\na{x="1"} 2\n'],
    ['a label that is not closed', '# HELP a A\n# TYPE a gauge\na{x="1} 1\n'],
    ['a comma too many', '# HELP a A\n# TYPE a gauge\na{x="1",} 1\n'],
    ['a quote within', '# HELP a A\n# TYPE a gauge\na{x="1"2"} 1\n'],
    ['a number that is none', '# HELP a A\n# TYPE a gauge\na one\n'],
  ])('is refused %s', (_what, text) => {
    expect(() => parsePrometheusText(text)).toThrow();
  });

  test('the conventions detect violations', () => {
    const family = (name: string, type: string, labels: Record<string, string> = {}): ParsedFamily => ({
      name,
      type,
      help: 'H',
      samples: [{ name, labels, value: 1 }],
    });
    for (const wrong of [
      family('requests', 'counter'),
      family('size_total', 'gauge'),
      family('delay_ms', 'gauge'),
      family('size_kilobytes', 'gauge'),
      family('delay_seconds', 'gauge', { quantile: '0.5' }),
      family('my_gauge', 'gauge'),
    ])
      expect(lintFamilies([wrong]), wrong.name).toHaveLength(1);
    expect(lintFamilies([family('a_bytes', 'gauge'), family('b_total', 'counter')])).toEqual([]);
  });
});
