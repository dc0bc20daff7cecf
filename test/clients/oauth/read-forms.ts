/** A form as a browser without scripts would submit it. */
export interface Form {
  readonly action: string;
  readonly method: string;
  readonly fields: ReadonlyMap<string, string>;
  /** The buttons by text, with the field that each adds. */
  readonly buttons: readonly {
    readonly text: string;
    readonly field: readonly [string, string] | null;
    readonly action: string | null;
  }[];
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  '#34': '"',
};

/** Decodes entities in HTML text. */
export function plainText(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole)
    .trim();
}

/** All forms of a plain page with their inputs, ticked boxes and buttons. */
export function readForms(page: string): readonly Form[] {
  return [...page.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([, head = '', body = '']) => {
    const fields = new Map<string, string>();
    for (const [, inside = ''] of body.matchAll(/<input\b([^>]*)>/g)) {
      const input = attributes(inside);
      const type = input.get('type') ?? 'text';
      const unticked = (type === 'checkbox' || type === 'radio') && !input.has('checked');
      if (type !== 'submit' && !unticked && !input.has('disabled'))
        fields.set(input.get('name') ?? '', input.get('value') ?? '');
    }
    const buttons = [...body.matchAll(/<button\b([^>]*)>([\s\S]*?)<\/button>/g)].map(([, inside = '', text = '']) => {
      const button = attributes(inside);
      const name = button.get('name');
      const field = name === undefined ? null : ([name, button.get('value') ?? ''] as const);
      return { text: plainText(text), field, action: button.get('formaction') ?? null };
    });
    const form = attributes(head);
    return { action: form.get('action') ?? '', method: (form.get('method') ?? 'get').toUpperCase(), fields, buttons };
  });
}

function attributes(text: string): ReadonlyMap<string, string> {
  const found = text.matchAll(/([\w-]+)(?:\s*=\s*"([^"]*)")?/g);
  return new Map(Array.from(found, ([, name = '', value = '']) => [name, plainText(value)]));
}

/** A pressed button with its form, and what the form then sends; null if the page has no such button. */
export function pressButton(page: string, button: RegExp, filled: Readonly<Record<string, string>>) {
  const found = readForms(page)
    .flatMap((form) => form.buttons.map((pressed) => ({ form, pressed })))
    .find(({ pressed }) => button.test(pressed.text));
  if (!found) return null;
  const { form, pressed } = found;
  const fields = new URLSearchParams([...form.fields, ...(pressed.field === null ? [] : [[...pressed.field]])]);
  for (const [name, value] of Object.entries(filled)) fields.set(name, value);
  return { form, pressed, fields };
}
