import { isForbiddenAddress, lookUpElsewhere } from '../errors/external/forbidden-addresses.ts';
import type { OutgoingGuard } from './sending/send-webhook.ts';

export function openGuard(): OutgoingGuard {
  return {
    refusal: async (url) => (isForbiddenAddress(url.hostname) ? `${url.hostname} may not be asked.` : null),
    lookup: lookUpElsewhere,
  };
}
