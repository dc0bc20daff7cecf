import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Value } from 'typebox/value';
import { HttpProblem } from '../../common/problem.ts';

interface Finding {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: object;
  readonly message: string;
}

const partNames: Readonly<Record<string, string>> = {
  body: 'body',
  querystring: 'query',
  params: 'path',
  headers: 'headers',
};

/**
 * Validates a part of a request by the contract's TypeBox schema. A body must have the declared
 * types; values in an address are text, so there "3" is an integer and "true" a boolean. The error
 * names the member, and the value where the schema lists the allowed ones. The schema is compiled
 * on first use: compiling all of them took a large part of the start.
 */
export const validateBySchema: FastifySchemaCompiler<unknown> = ({ schema, httpPart }) => {
  const contract = schema as TSchema;
  let compiled: ReturnType<typeof Compile> | undefined;
  const fromText = httpPart !== undefined && httpPart !== 'body';
  return (data: unknown) => {
    const value: unknown = fromText ? Value.Default(contract, readText(contract, data)) : data;
    compiled ??= Compile(contract);
    if (compiled.Check(value)) return { value };
    const detail = explain(compiled.Errors(value), value, partNames[httpPart ?? ''] ?? 'request');
    return { error: new HttpProblem(400, `The request is not valid: ${detail}.`, { type: 'invalid-request' }) };
  };
};

function readText(schema: TSchema, data: unknown): unknown {
  const properties = 'properties' in schema ? (schema.properties as Record<string, { readonly type?: string }>) : {};
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, readValue(properties[name]?.type, value)]),
  );
}

function readValue(type: string | undefined, value: unknown): unknown {
  if (type === 'array') return typeof value === 'string' ? [value] : value;
  if (typeof value !== 'string') return value;
  if (type === 'integer' && /^-?\d{1,15}$/.test(value)) return Number(value);
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

function explain(findings: readonly Finding[], value: unknown, part: string): string {
  // "schema is false" and the branches of an alternative only repeat what another finding says
  // better.
  const finding = findings.find(({ keyword }) => keyword !== 'boolean') ?? findings[0];
  if (!finding) return `${part} is not as declared`;
  const where = `${part}${finding.instancePath.replaceAll('/', '.')}`;
  if (finding.keyword === 'required') return `${where} lacks ${listOf(finding.params, 'requiredProperties')}`;
  if (finding.keyword === 'additionalProperties')
    return `${where} has unknown members: ${listOf(finding.params, 'additionalProperties')}`;
  if (finding.keyword === 'enum')
    return `${where} is ${shorten(valueAt(value, finding.instancePath))}, but must be one of ${listOf(finding.params, 'allowedValues')}`;
  return `${where} ${finding.message}`;
}

function listOf(params: object, name: string): string {
  const list: unknown = Object.entries(params).find(([key]) => key === name)?.[1];
  return Array.isArray(list)
    ? list
        .slice(0, 20)
        .map((item) => shorten(item))
        .join(', ')
    : '';
}

function shorten(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
}

function valueAt(value: unknown, pointer: string): unknown {
  let current = value;
  for (const key of pointer.split('/').slice(1)) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return current;
}
