import { Type } from 'typebox';
import { Problem } from '../contract/common.ts';
import type { App } from '../http/app.ts';
import { attachment } from '../http/semantics/content-disposition.ts';
import { HttpProblem } from '../common/problem.ts';
import type { TlsMaterial } from '../http/server/tls-material.ts';

/**
 * Serves the certificate as a file for other programs, on all listeners while one of them uses TLS.
 * It is not secret, because each handshake sends it.
 */
export function registerCertificate(app: App, spoken: () => TlsMaterial | null): void {
  app.get(
    '/certificate.pem',
    {
      schema: {
        tags: ['service'],
        summary: 'The certificate of this server, as PEM; compare its fingerprint before trusting what came from here',
        operationId: 'getCertificate',
        security: [],
        response: { 200: Type.String(), 404: Problem },
      },
    },
    async (_request, reply) => {
      const material = spoken();
      if (!material) throw new HttpProblem(404, 'This server speaks plain HTTP, without a certificate.');
      return reply
        .type('application/x-pem-file')
        .header('content-disposition', attachment('benchport.pem'))
        .send(material.cert);
    },
  );
}
