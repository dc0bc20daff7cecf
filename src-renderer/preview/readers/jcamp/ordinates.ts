// Squeezed digits carry the sign and the first digit of a value, differences that of the step to it, and
// repeats say how often it stands (JCAMP-DX 4.24, section 5.5.3).
const squeezed = '@ABCDEFGHI';
const squeezedNegative = '@abcdefghi';
const difference = '%JKLMNOPQR';
const differenceNegative = '%jklmnopqr';
const repeats = 'STUVWXYZs';
const maxRepeats = 1_000_000;

type Form = 'plain' | 'squeezed' | 'difference' | 'repeat';

interface Token {
  readonly form: Form;
  readonly value: number;
}

/**
 * The values of `(X++(Y..Y))` in all of its forms: one line after the other, each with its abscissa,
 * which is left out. A line that follows differences begins with the value before it again, as a check.
 */
export function ordinatesOf(lines: readonly string[], maxValues: number): number[] {
  const values: number[] = [];
  let endsInDifference = false;
  for (const line of lines) {
    const [, ...tokens] = tokensOf(line);
    if (endsInDifference && tokens.length > 0) values.pop();
    let step: number | null = null;
    for (const { form, value } of tokens) {
      const last = values.at(-1) ?? 0;
      if (form === 'repeat') {
        for (let more = 1; more < Math.min(value, maxRepeats) && values.length < maxValues; more += 1)
          values.push((values.at(-1) ?? 0) + (step ?? 0));
        continue;
      }
      step = form === 'difference' ? value : null;
      values.push(form === 'difference' ? last + value : value);
    }
    endsInDifference = step !== null;
    if (values.length >= maxValues) break;
  }
  return values;
}

function tokensOf(line: string): readonly Token[] {
  // An exponent would be read as the squeezed digit 5.
  if (/\d[eE][+-]?\d/.test(line))
    return (line.match(/[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/g) ?? []).map((text) => ({
      form: 'plain',
      value: Number(text),
    }));
  const found: Token[] = [];
  for (const [, first = '', rest = ''] of line.matchAll(/([@A-Za-z%+\-?]|\d|\.)([\d.]*)/g)) {
    const token = tokenOf(first, rest);
    if (token !== null) found.push(token);
  }
  return found;
}

function tokenOf(first: string, rest: string): Token | null {
  if (first === '?') return { form: 'plain', value: Number.NaN };
  if (/[\d.+-]/.test(first)) {
    const value = Number(`${first}${rest}`);
    return Number.isNaN(value) ? null : { form: 'plain', value };
  }
  const forms: readonly (readonly [Form, string, sign: string, base: number])[] = [
    ['squeezed', squeezed, '', 0],
    ['squeezed', squeezedNegative, '-', 0],
    ['difference', difference, '', 0],
    ['difference', differenceNegative, '-', 0],
    ['repeat', repeats, '', 1],
  ];
  for (const [form, letters, sign, base] of forms) {
    const digit = letters.indexOf(first);
    if (digit >= 0) return { form, value: Number(`${sign}${digit + base}${rest}`) };
  }
  return null;
}
