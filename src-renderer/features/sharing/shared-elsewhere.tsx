import { useQuery } from '@tanstack/react-query';
import { useApp } from '../../context/context.ts';
import { Section } from '../account/section.tsx';
import { sharedFromElsewhere } from './sharing-words.ts';

/** The state of sharing for a browser, which may not change it. */
export function SharedElsewhere() {
  const service = useQuery(useApp().queries.service()).data;
  return service === undefined ? null : <Section title="On the local network" about={sharedFromElsewhere(service)} />;
}
