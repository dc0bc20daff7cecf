import swagger from '@fastify/swagger';
import type { FastifySchema } from 'fastify';
import { authorizeResponses } from './openapi-authorize.ts';
import { hoistSchemas, withoutRequiredDefaults } from './openapi-components.ts';
import { Problem } from '../../contract/common.ts';
import { GitlabError } from '../../contract/gitlab-error.ts';
import { addSlashedManifest, downloadResponses, problem } from './openapi-download.ts';
import type { App } from '../app.ts';
import { renderDocsPage } from './docs-page.ts';
import { sendPage } from '../pages/page-layout.ts';

/**
 * The version of the interface that the specification declares, independent of the program's
 * version.
 */
const interfaceVersion = 'v1';

const tags = [
  { name: 'measurements', description: 'Manifests, files and archives of measurements' },
  { name: 'transfers', description: 'Who fetches from this service, over all measurements' },
  { name: 'jobs', description: 'Work that outlives a request' },
  { name: 'accounts', description: 'Users and sessions' },
  { name: 'tokens', description: 'Personal access tokens' },
  { name: 'oauth', description: 'OAuth 2.0 and OpenID Connect: tokens for registered applications' },
  { name: 'applications', description: 'OAuth 2.0 applications, and the access that users gave them' },
  { name: 'projects', description: 'Projects and their members' },
  { name: 'errors', description: 'Error tracking: client keys, settings, errors and their events' },
  { name: 'service', description: 'State of the service and events' },
  { name: 'health', description: 'For monitors' },
  { name: 'local', description: "Only through the window's private socket; 404 elsewhere" },
];

/** Collects the routes that are added afterwards into the OpenAPI document. */
export async function collectOpenApi(app: App): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Benchport',
        version: interfaceVersion,
        license: { name: 'MIT', identifier: 'MIT' },
        description:
          'Measurements as manifests, byte ranges and one resumable ZIP. Every route that needs a credential takes a personal access token.',
      },
      tags,
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer and a personal access token' },
          privateToken: { type: 'apiKey', in: 'header', name: 'PRIVATE-TOKEN' },
          client: {
            type: 'http',
            scheme: 'basic',
            description: 'Client id and secret of an application; they may stand in the body instead',
          },
          queryToken: { type: 'apiKey', in: 'query', name: 'access_token', description: 'Under /api/v4 only' },
        },
      },
    },
    // The plugin itself moves nested schemas; this keeps their own names.
    refResolver: {
      buildLocalReference: (schema, _base, _fragment, index) =>
        typeof schema.$id === 'string' ? schema.$id : `schema-${index}`,
    },
    transform: ({ schema, url, route }) => {
      const method = Array.isArray(route.method) ? (route.method[0] ?? 'GET') : route.method;
      const described: FastifySchema = schema ?? {};
      const operationId = described.operationId ?? defaultOperationId(method, url);
      const response = described.response ?? downloadResponses[operationId] ?? authorizeResponses[operationId];
      const querystring =
        described.querystring === undefined ? {} : { querystring: withoutRequiredDefaults(described.querystring) };
      return {
        url,
        schema: {
          ...described,
          operationId,
          ...querystring,
          ...(response
            ? {
                response: withProblemType({
                  ...commonErrorResponses(url, described, route.config?.errors),
                  ...response,
                }),
              }
            : {}),
          ...securityOf(url, described),
        },
      };
    },
  });
}

/** Serves the document of the collected routes, and a page that shows it. */
export function registerOpenApi(app: App, baseUrl: () => string): void {
  // Cached as a Buffer: a string would be encoded, and held in memory, once per response.
  let bytes: Buffer | null = null;
  const document = () => {
    const made = app.swagger();
    // HEAD answers as GET does, and an operation's id may occur in the document only once.
    for (const item of Object.values(made.paths ?? {})) delete (item as Record<string, unknown>)['head'];
    addSlashedManifest(made.paths ?? {});
    return { ...hoistSchemas(made as Record<string, unknown>), servers: [{ url: baseUrl() }] };
  };

  app.get('/api/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    bytes ??= Buffer.from(JSON.stringify(document()));
    return reply.header('cache-control', 'no-cache').type('application/json').send(bytes);
  });
  app.get('/api/docs', { schema: { hide: true } }, async (_request, reply) =>
    sendPage(reply, 200, 'HTTP interface', renderDocsPage(document())),
  );
}

const open = [{}];
const anyCredential = [{ bearer: [] }, { privateToken: [] }];
const openAddresses: readonly string[] = ['/api/v4/session', '/api/v4/setup', '/-/health', '/-/readiness'];

function securityOf(url: string, schema: FastifySchema): object {
  if ('security' in schema) return {};
  if (openAddresses.includes(url)) return { security: open };
  return { security: url.startsWith('/api/v4/') ? [...anyCredential, { queryToken: [] }] : anyCredential };
}

/**
 * Error answers that every route can give: invalid input, a refused credential, and 404 for routes
 * of the window.
 */
function commonErrorResponses(url: string, schema: FastifySchema, errors: 'gitlab' | undefined): object {
  const refusal = errors === 'gitlab' ? GitlabError : Problem;
  const { params, querystring, body } = schema;
  const input = params !== undefined || querystring !== undefined || body !== undefined;
  const local = url.startsWith('/api/v4/local/');
  const credential = !local && !('security' in schema) && !openAddresses.includes(url);
  // Two credentials in one request are refused too (RFC 6750 section 2).
  return {
    ...((input || credential) && { 400: refusal }),
    ...(credential && { 401: refusal, 403: refusal }),
    ...(local && { 404: refusal }),
  };
}

/** Describes problem details under the media type that they are sent with (RFC 9457 section 3). */
function withProblemType(response: object): object {
  return Object.fromEntries(
    Object.entries(response).map(([status, schema]) => [
      status,
      schema === Problem ? problem('Problem details (RFC 9457)') : schema,
    ]),
  );
}

function defaultOperationId(method: string, url: string): string {
  const words = url.split(/[^A-Za-z0-9]+/).filter((word) => word !== '' && word !== 'api' && word !== 'v4');
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
