import { beforeAll } from 'vitest';
import { useTestService } from '../../use-service.ts';

interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema?: { readonly default?: unknown };
  }[];
  readonly requestBody?: object;
  readonly responses?: Record<string, unknown>;
}

export interface OpenApi {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, unknown> };
}

/** A service and a token of an administrator. */
export function useInterface() {
  const service = useTestService();
  const scene = {} as { token: string };
  beforeAll(async () => {
    scene.token = await service.token(await service.user('steward', true), ['api']);
  });

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(service.url + path, { headers: { 'private-token': scene.token, ...headers }, redirect: 'manual' });

  return Object.assign(scene, { service, get });
}
