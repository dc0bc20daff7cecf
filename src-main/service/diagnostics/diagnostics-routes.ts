import { Type } from 'typebox';
import { DiagnosticsPart } from '../contract/diagnostics.ts';
import type { App } from '../http/app.ts';
import type { Authentication } from '../http/authentication.ts';
import type { Metrics } from '../metrics/health-metrics.ts';
import { checkMachine } from './check-machine.ts';
import { diagnosticsParts } from './diagnostics-parts.ts';
import { diagnosticsZip } from './diagnostics-zip.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { StoredNumbersStore } from '../database/stored-numbers-store.ts';
import type { DiagnosticsStore } from './diagnostics-store.ts';

type Deps = {
  readonly config: ServiceConfig;
  readonly storedNumbers: StoredNumbersStore;
  readonly diagnostics: DiagnosticsStore;
  readonly auth: Authentication;
  readonly flushLog: () => void;
};

/** Registers the preview and the download of the diagnostics bundle; for administrators. */
export function registerDiagnosticsRoutes(app: App, deps: Deps, metrics: Metrics): void {
  async function parts() {
    deps.flushLog();
    const findings = await checkMachine(deps.config.dataDir, deps.config.port);
    return diagnosticsParts({ config: deps.config, stored: deps, findings, metrics: await metrics.text() });
  }

  app.get(
    '/api/v4/diagnostics',
    {
      onRequest: deps.auth.requireAdmin('api'),
      schema: {
        tags: ['health'],
        summary: 'Contents of a diagnostics bundle made now',
        description: 'Without secrets, and without names of people and measurements.',
        operationId: 'getDiagnostics',
        response: { 200: Type.Array(DiagnosticsPart) },
      },
    },
    async () => [...(await parts())],
  );
  app.get(
    '/api/v4/diagnostics.zip',
    {
      onRequest: deps.auth.requireAdmin('api'),
      schema: {
        tags: ['health'],
        summary: 'The diagnostics bundle as a ZIP archive',
        operationId: 'downloadDiagnostics',
        response: {
          200: { content: { 'application/zip': { schema: Type.Unsafe<Buffer>(Type.String({ format: 'binary' })) } } },
        },
      },
    },
    async (_request, reply) =>
      reply
        .type('application/zip')
        .header('content-disposition', 'attachment; filename="benchport-diagnostics.zip"')
        .send(diagnosticsZip(await parts(), Date.now())),
  );
}
