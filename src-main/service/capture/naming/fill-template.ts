/** A field of a template has no value. */
export class MissingField extends Error {
  constructor(field: string) {
    super(`{${field}} has no value.`);
  }
}

const place = /\{([^{}]*)\}/g;

/**
 * Puts values into a template such as `{instrument}-{name}`.
 *
 * @throws MissingField for a field that has none.
 */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(place, (_all, field: string) => {
    const value = Object.hasOwn(values, field) ? values[field] : undefined;
    if (value === undefined) throw new MissingField(field);
    return value;
  });
}

/** The fields that a template names. */
export function fieldsOf(template: string): readonly string[] {
  return [...template.matchAll(place)].map(([, field]) => field ?? '');
}
