import { channel } from 'node:diagnostics_channel';
import fastJsonStringify from 'fast-json-stringify';
import type { FastifyInstance, RouteOptions } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import { startTestService } from '../../start.ts';

// A running service compiles a schema at its first use, so a broken one would be noticed late.
test('every schema of every route compiles', async () => {
  const routes: RouteOptions[] = [];
  const made = channel('fastify.initialization');
  const collect = (message: unknown): void => {
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', (route) => void routes.push(route));
  };
  made.subscribe(collect);
  const service = await startTestService().finally(() => made.unsubscribe(collect));
  try {
    const faults: string[] = [];
    let compiled = 0;
    const compile = (name: string, act: () => unknown): void => {
      try {
        act();
        compiled += 1;
      } catch (error) {
        faults.push(`${name}: ${String(error)}`);
      }
    };
    for (const { method, url, schema } of routes) {
      if (method === 'HEAD' || !schema) continue;
      const { body, querystring, params, headers } = schema;
      for (const read of [body, querystring, params, headers])
        if (read) compile(`${String(method)} ${url}`, () => Compile(read));
      for (const written of Object.values(schema.response ?? {}))
        if (!('content' in (written as object)))
          compile(`${String(method)} ${url}`, () => fastJsonStringify(written as TSchema));
    }
    expect(faults).toEqual([]);
    expect(compiled).toBeGreaterThan(routes.length / 2);
  } finally {
    await service.end();
  }
});
