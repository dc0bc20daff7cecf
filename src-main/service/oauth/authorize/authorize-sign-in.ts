import type { FastifyRequest } from 'fastify';
import { AuthorizeFault } from '../consent/authorize-fault.ts';
import type { AuthorizeParameters } from '../consent/authorize-parameters.ts';
import type { ReturnAddress } from '../consent/authorize-redirect.ts';
import { authorizePath } from '../consent/consent-page.ts';
import { packQuery, unpackQuery } from './authorize-packed.ts';

// Characters; the limit of the redirect targets and forms of the sign-in that carry this address.
const maxReturnUrlLength = 12_000;

/** Address of the sign-in page that leads back to this request afterwards. */
export function signInAddress(parameters: AuthorizeParameters, back: ReturnAddress, again: boolean): string {
  const query = parameters.toQuery();
  if (again) query.set('signed_in_since', String(Date.now()));
  const address = `/users/sign_in?${again ? 'again=true&' : ''}return_to=${encodeURIComponent(`${authorizePath}?packed=${packQuery(query)}`)}`;
  if (address.length > maxReturnUrlLength)
    throw new AuthorizeFault('invalid_request', 'The request is too long.', back);
  return address;
}

/** The query of the request, unpacked when the request returns from the sign-in. */
export function queryOf(request: FastifyRequest): URLSearchParams {
  const packed = packedOf(request);
  return packed === null ? addressQuery(request) : unpackQuery(packed);
}

/** The packed request that returned from the sign-in; null for a request sent by the client. */
export function packedOf(request: FastifyRequest): string | null {
  return addressQuery(request).get('packed');
}

function addressQuery(request: FastifyRequest): URLSearchParams {
  const mark = request.url.indexOf('?');
  return new URLSearchParams(mark < 0 ? '' : request.url.slice(mark + 1));
}
