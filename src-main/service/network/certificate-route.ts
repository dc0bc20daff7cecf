import { Type } from 'typebox';
import { Problem } from '../contract/common.ts';
import type { App } from '../http/app.ts';
import { attachment } from '../http/semantics/content-disposition.ts';
import { HttpProblem } from '../common/problem.ts';
import type { TlsMaterial } from '../http/server/tls-material.ts';

/** The certificate for programs that take one from a file, on every door while one of them speaks TLS. It is no secret: each handshake shows it. */
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
