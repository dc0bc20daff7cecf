import type { Observation } from './observe.ts';
import type { Case } from './side.ts';

/** One difference between the providers, with all requests that show it. */
export interface Difference {
  readonly part: string;
  readonly theirs: string;
  readonly ours: string;
  readonly requests: readonly string[];
}

/** Placeholder for a missing value. */
export const nothing = '(none)';

export interface Compared {
  readonly one: Case;
  readonly theirs: Observation;
  readonly ours: Observation;
}

/** All differences, grouped by kind. */
export function differencesOf(all: readonly Compared[]): readonly Difference[] {
  const found = new Map<string, { part: string; theirs: string; ours: string; requests: string[] }>();
  for (const { one, theirs, ours } of all) {
    for (const part of partsOf(theirs, ours)) {
      const [their, our] = [theirs.get(part) ?? nothing, ours.get(part) ?? nothing];
      if (their === our) continue;
      const key = JSON.stringify([part, their, our]);
      const known = found.get(key) ?? { part, theirs: their, ours: our, requests: [] };
      known.requests.push(one.id);
      found.set(key, known);
    }
  }
  return [...found.values()].toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
}

/**
 * The comparable parts of two responses. When one succeeds and the other fails, status and error
 * suffice; missing token members are no difference of their own.
 */
function partsOf(theirs: Observation, ours: Observation): readonly string[] {
  const parts = [...new Set([...theirs.keys(), ...ours.keys()])];
  if (kindOf(theirs) === kindOf(ours)) return parts;
  return parts.filter(
    (part) =>
      part.endsWith(' error') || !/^(member|redirect|fragment|content-type|x-frame-options|referrer-policy)/.test(part),
  );
}

function kindOf(observation: Observation): string {
  const status = observation.get('status') ?? '';
  if (observation.has('redirect error') || observation.has('fragment error')) return 'refused by redirect';
  return status < '400' ? `${status[0]}xx` : 'refused';
}

const textOf = ({ part, theirs, ours }: Difference): string => `${part} | ${theirs} | ${ours}`;
