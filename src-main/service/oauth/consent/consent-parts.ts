import { scopeMeanings } from '../../contract/scope-meanings.ts';
import { html, type Html } from '../../http/pages/page-html.ts';

/** The user who registered an application. */
export interface Owner {
  readonly name: string;
  readonly username: string;
}

/** The requested scopes in words, under a heading. */
export function scopeList(heading: string, scopes: readonly string[]): Html {
  return html`<h2 id="scopes">${heading}</h2>
    <ul class="scopes" aria-labelledby="scopes">
      ${scopes.map((scope) => html`<li><span>${meaningOf(scope)}</span> <code>${scope}</code></li>`)}
    </ul>`;
}

/** The owner of an application as an entry of its list of facts. */
export function ownerFact({ name, username }: Owner): Html {
  return html`<dt>Registered by</dt>
    <dd><bdi>${name}</bdi>${name !== username && html` (${username})`}</dd>`;
}

/** The Allow and Deny buttons. @param request the id of the pending request. */
export function decisionForm(action: string, request: string, csrfToken: string): Html {
  return html`<form method="post" action="${action}" class="decide">
    <input type="hidden" name="request" value="${request}" />
    <input type="hidden" name="csrf_token" value="${csrfToken}" />
    <button type="submit" name="decision" value="deny" class="secondary">Deny</button>
    <button type="submit" name="decision" value="approve">Allow</button>
  </form>`;
}

function meaningOf(scope: string): string {
  return scope in scopeMeanings ? scopeMeanings[scope as keyof typeof scopeMeanings] : scope;
}
