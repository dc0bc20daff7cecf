type Json = Record<string, unknown>;

/** Moves every schema that has a name (`$id`) into `components/schemas`, once, and refers to it from where it stood. */
export function hoistSchemas(document: Json): Json {
  const schemas: Json = {};

  function walk(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => walk(item));
    if (typeof value !== 'object' || value === null) return value;
    const { $id: id, ...members } = value as Json;
    if (typeof id !== 'string') return walkMembers(value as Json);
    schemas[id] ??= walkMembers(members);
    return { $ref: `#/components/schemas/${id}` };
  }
  function walkMembers(members: Json): Json {
    return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, walk(member)]));
  }

  const walked = walkMembers(document);
  const components = (walked['components'] ?? {}) as Json;
  return { ...walked, components: { ...components, schemas: { ...(components['schemas'] as Json | undefined), ...schemas } } };
}
