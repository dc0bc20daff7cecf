import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { timesSent } from '../../http/semantics/times-sent.ts';
import { secretDigest } from '../../secrets/secret-digest.ts';
import { invalidClient, oauthError } from '../shared/oauth-error.ts';
import type { Parameters } from './oauth-parameters.ts';
import type { Application } from '../shared/types.ts';
import type { AuditStores } from '../../audit/stores.ts';

/** Finds applications by client id. */
export type Clients = (clientId: string) => Promise<Application | null>;

type Deps = Pick<AuditStores, 'audit'> & { readonly clients: Clients };

interface Claim {
  readonly clientId: string;
  readonly secret: string;
  readonly basic: boolean;
}

/**
 * Identifies the application that sends a request by HTTP Basic or by the body (RFC 6749 section
 * 2.3.1). A confidential application must always send its secret. A public one has none, and may
 * send Basic with an empty password, as Go's library does.
 *
 * @returns null when the request names no client.
 * @throws HttpProblem 401 invalid_client; 400 invalid_request when both methods are used.
 */
export async function authenticateClient(
  services: Deps,
  request: IncomingMessage,
  parameters: Parameters,
  address: string,
): Promise<Application | null> {
  const claim = readClaim(request, parameters);
  if (claim === null) return null;
  const application = await services.clients(claim.clientId);
  if (!application) throw invalidClient(claim.basic);
  if (!secretMatches(application, claim.secret)) {
    if (claim.secret !== '') {
      await services.audit.record({
        userId: null,
        action: 'oauth.failed',
        subject: `application:${application.id}`,
        detail: 'wrong client secret',
        applicationId: application.id,
        address,
      });
    }
    throw invalidClient(claim.basic);
  }
  return application;
}

function secretMatches(application: Application, secret: string): boolean {
  if (application.secretHash === null) return secret === '';
  // Digests have equal lengths, as `timingSafeEqual` requires.
  return timingSafeEqual(secretDigest(secret), application.secretHash);
}

function readClaim(request: IncomingMessage, parameters: Parameters): Claim | null {
  const header = request.headers.authorization;
  const bodyId = parameters.get('client_id');
  const bodySecret = parameters.get('client_secret');
  if (header === undefined) {
    if (bodyId === undefined && bodySecret !== undefined) throw invalidClient(false);
    return bodyId === undefined ? null : { clientId: bodyId, secret: bodySecret ?? '', basic: false };
  }
  // Node silently keeps only the first of repeated Authorization headers.
  if (timesSent(request, 'authorization') > 1) throw oauthError('invalid_request', 'Send one Authorization header.');
  const encoded = /^basic +(.*)$/i.exec(header)?.[1];
  if (encoded === undefined)
    throw oauthError(
      'invalid_request',
      'The Authorization header of this request must be Basic, with the client id and secret.',
    );
  if (bodySecret !== undefined)
    throw oauthError(
      'invalid_request',
      'Send the client secret in the Authorization header or in the body, not in both.',
    );
  const claim = decodeBasic(encoded);
  if (claim === null) throw invalidClient(true);
  if (bodyId !== undefined && bodyId !== claim.clientId)
    throw oauthError('invalid_request', 'The Authorization header and the body name different clients.');
  return claim;
}

/**
 * Decodes HTTP Basic by RFC 6749 section 2.3.1: id and secret are form-encoded before they are
 * joined. Base64 must be canonical (RFC 4648 section 4).
 */
function decodeBasic(encoded: string): Claim | null {
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.toString('base64') !== encoded) return null;
  const text = bytes.toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) return null;
  try {
    return {
      clientId: decodeURIComponent(text.slice(0, colon)),
      secret: decodeURIComponent(text.slice(colon + 1)),
      basic: true,
    };
  } catch {
    // The text is not percent-encoded.
    return null;
  }
}
