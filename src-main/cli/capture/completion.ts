import { InvalidArgumentError } from 'commander';
import type { CaptureChoices, CaptureRuleInput } from '../../service/contract/capture/rules.ts';
import { CommandError } from '../support/terminal.ts';

/** One value of `--complete`. */
export type Completion =
  | { readonly sign: 'marker'; readonly marker: string }
  | { readonly sign: 'moved-in' }
  | { readonly sign: 'quiet'; readonly minutes: number };

const maxMinutes = 10_080;

/** @throws InvalidArgumentError for anything but `marker:GLOB`, `moved-in` and `quiet:MINUTES`. */
export function parseCompletion(text: string): Completion {
  const [, word = '', value = ''] = /^(marker|quiet):(.+)$/s.exec(text) ?? [];
  if (word === 'marker') return { sign: 'marker', marker: value };
  if (word === 'quiet') return { sign: 'quiet', minutes: parseMinutes(value) };
  if (text === 'moved-in') return { sign: 'moved-in' };
  throw new InvalidArgumentError('Give marker:GLOB, moved-in or quiet:MINUTES.');
}

/** @throws InvalidArgumentError for anything but a number up to a week; it may have a fraction. */
export function parseMinutes(text: string): number {
  const minutes = /^\d{1,6}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (!(minutes <= maxMinutes)) throw new InvalidArgumentError(`Give a number of minutes from 0 to ${maxMinutes}.`);
  return minutes;
}

/**
 * The sign of a rule: that of its preset, unless options say another.
 *
 * @param settleMinutes the time without a change after the sign.
 * @throws CommandError (bad usage) for signs that exclude each other.
 */
export function signOf(
  preset: Readonly<CaptureChoices['presets'][number]>,
  completions: readonly Completion[],
  settleMinutes: number | undefined,
): Pick<CaptureRuleInput, 'sign' | 'markers' | 'minutes'> {
  const [first] = completions;
  const sign = first?.sign ?? preset.sign;
  if (completions.length > 1 && !completions.every((one) => one.sign === 'marker'))
    throw new CommandError('A run has one sign: give one or several markers, or moved-in, or quiet:MINUTES.', 2);
  if (sign === 'quiet' && settleMinutes !== undefined)
    throw new CommandError('--settle is the time after markers. Say --complete quiet:MINUTES instead.', 2);
  const keptMinutes = sign === preset.sign ? preset.minutes : 0;
  return {
    sign,
    markers: first ? completions.flatMap((one) => (one.sign === 'marker' ? one.marker : [])) : preset.markers,
    minutes: first?.sign === 'quiet' ? first.minutes : (settleMinutes ?? keptMinutes),
  };
}
