import { html, type Html } from '../pages/page-html.ts';

type Json = Readonly<Record<string, unknown>>;

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly id: string;
  readonly tag: string;
  readonly description: Json;
}

/** The OpenAPI document as a page: plain HTML, no scripts. */
export function renderDocsPage(document: Json): Html {
  const schemas = object(object(document['components'])['schemas']);
  const operations = operationsOf(document);
  const declared = list(document['tags']).map((tag) => text(object(tag)['name']));
  const used = new Set(operations.map(({ tag }) => tag));
  const tags = [...declared.filter((tag) => used.has(tag)), ...[...used].filter((tag) => !declared.includes(tag))];
  return html`<main class="document">
    <h1>HTTP interface</h1>
    <p>
      Send a personal access token with every request: <code>Authorization: Bearer TOKEN</code>. Errors are <code>application/problem+json</code> (RFC 9457).
      The same as a machine reads it: <a href="/api/openapi.json">openapi.json</a>.
    </p>
    <nav aria-label="Groups">${tags.map((tag) => html`<a href="#${tag}">${tag}</a>`)}</nav>
    ${tags.map(
      (tag) =>
        html`<section id="${tag}">
          <h2>${tag}</h2>
          ${operations.filter((operation) => operation.tag === tag).map((operation) => renderOperation(operation, schemas))}
        </section>`,
    )}
    <section id="schemas">
      <h2>schemas</h2>
      ${Object.entries(schemas).map(
        ([name, schema]) =>
          html`<details class="operation" id="schema-${name}">
            <summary><code>${name}</code></summary>
            <div>${renderMembers(object(schema))}</div>
          </details>`,
      )}
    </section>
  </main>`;
}

function operationsOf(document: Json): readonly Operation[] {
  return Object.entries(object(document['paths'])).flatMap(([path, item]) =>
    Object.entries(object(item)).map(([method, operation]) => {
      const description = object(operation);
      const firstTag = list(description['tags'])[0];
      return {
        method,
        path,
        id: text(description['operationId']),
        tag: typeof firstTag === 'string' ? firstTag : 'other',
        description,
      };
    }),
  );
}

function renderOperation({ method, path, id, description }: Operation, schemas: Json): Html {
  const parameters = list(description['parameters']).map(object);
  const body = bodySchema(description['requestBody']);
  const responses = Object.entries(object(description['responses']));
  return html`<details class="operation" id="${id}">
    <summary>
      <span><span class="method">${method.toUpperCase()}</span> <code>${path}</code></span
      ><span>${text(description['summary'])}</span>
    </summary>
    <div>
      <p class="muted">Operation <code>${id}</code></p>
      ${text(description['description']) !== '' && html`<p>${text(description['description'])}</p>`}
      ${parameters.length > 0 && renderParameters(parameters)}
      ${
        body &&
        html`<p>Body</p>
          ${renderMembers(resolve(body, schemas))}`
      }
      <table>
        <thead>
          <tr>
            <th>Status</th>
            <th>Answer</th>
          </tr>
        </thead>
        <tbody>
          ${responses.map(
            ([status, response]) =>
              html`<tr>
                <td>${status}</td>
                <td>${answerOf(object(response))}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details> `;
}

function renderParameters(parameters: readonly Json[]): Html {
  return html`<table>
    <thead>
      <tr>
        <th>Parameter</th>
        <th>In</th>
        <th>Type</th>
        <th>Meaning</th>
      </tr>
    </thead>
    <tbody>
      ${parameters.map(
        (parameter) =>
          html`<tr>
            <td><code>${text(parameter['name'])}</code>${parameter['required'] === true && ' (required)'}</td>
            <td>${text(parameter['in'])}</td>
            <td>${typeOf(object(parameter['schema']))}</td>
            <td>${text(parameter['description'])}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function renderMembers(schema: Json): Html {
  const required = new Set(list(schema['required']));
  return html`<table>
    <thead>
      <tr>
        <th>Member</th>
        <th>Type</th>
        <th>Meaning</th>
      </tr>
    </thead>
    <tbody>
      ${Object.entries(object(schema['properties'])).map(
        ([name, member]) =>
          html`<tr>
            <td><code>${name}</code>${required.has(name) && ' (required)'}</td>
            <td>${typeOf(object(member))}</td>
            <td>${text(object(member)['description'])}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function answerOf(response: Json): Html {
  const content = Object.entries(object(response['content']))[0];
  return content
    ? html`${typeOf(object(object(content[1])['schema']))} <span class="muted">${content[0]}</span>`
    : html`no body`;
}

function bodySchema(requestBody: unknown): Json | null {
  const content = Object.values(object(object(requestBody)['content']))[0];
  return content === undefined ? null : object(object(content)['schema']);
}

function resolve(schema: Json, schemas: Json): Json {
  const name = referenced(schema);
  return name === null ? schema : object(schemas[name]);
}

function referenced(schema: Json): string | null {
  const reference = schema['$ref'];
  return typeof reference === 'string' ? (reference.split('/').at(-1) ?? null) : null;
}

function typeOf(schema: Json): Html {
  const name = referenced(schema);
  if (name !== null) return html`<a href="#schema-${name}">${name}</a>`;
  const choices = list(schema['anyOf']).map((choice) => typeOf(object(choice)));
  if (choices.length > 0) return html`${choices.map((choice, index) => html`${index > 0 && ' or '}${choice}`)}`;
  const values = list(schema['enum']);
  if (values.length > 0)
    return html`${values.map((value, index) => html`${index > 0 && ', '}<code>${String(value)}</code>`)}`;
  if (schema['type'] === 'array') return html`list of ${typeOf(object(schema['items']))}`;
  const format = text(schema['format']);
  return html`${text(schema['type'])}${format !== '' && ` (${format})`}`;
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
