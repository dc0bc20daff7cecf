type Json = Record<string, unknown>;

/**
 * Moves each schema with a name (its title; @fastify/swagger drops `$id`) into
 * `components/schemas`, once, and replaces it by a reference.
 */
export function hoistSchemas(document: Json): Json {
  const schemas: Json = {};

  function walk(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => walk(item));
    if (typeof value !== 'object' || value === null) return value;
    const { $id: _id, ...members } = asTuple(value as Json);
    const { title } = members;
    if (members['type'] !== 'object' || typeof title !== 'string' || !/^[A-Z][A-Za-z0-9]*$/.test(title))
      return walkMembers(members);
    schemas[title] ??= walkMembers(members);
    return { $ref: `#/components/schemas/${title}` };
  }
  function walkMembers(members: Json): Json {
    return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, walk(member)]));
  }

  const walked = walkMembers(document);
  const components = (walked['components'] ?? {}) as Json;
  // The walk replaces schemas that @fastify/swagger has moved already by references to themselves,
  // so the moved ones overwrite them.
  return {
    ...walked,
    components: { ...components, schemas: { ...(components['schemas'] as Json | undefined), ...schemas } },
  };
}

/**
 * A list of fixed length in the form of JSON Schema 2020-12, which OpenAPI 3.1 uses; fastify's
 * validator reads an older form.
 */
function asTuple({ items, additionalItems, ...schema }: Json): Json {
  if (Array.isArray(items)) return { ...schema, prefixItems: items, items: additionalItems };
  return {
    ...schema,
    ...(items === undefined ? {} : { items }),
    ...(additionalItems === undefined ? {} : { additionalItems }),
  };
}

/**
 * A query's schema from the caller's side: a parameter with a default may be left out, while the
 * handler always finds it (`schema-validation.ts`).
 */
export function withoutRequiredDefaults(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  const { required, properties, ...rest } = schema as {
    readonly required?: readonly string[];
    readonly properties?: Record<string, object>;
  };
  const needed = (required ?? []).filter((name) => !('default' in (properties?.[name] ?? {})));
  return { ...rest, ...(properties ? { properties } : {}), ...(needed.length > 0 ? { required: needed } : {}) };
}
