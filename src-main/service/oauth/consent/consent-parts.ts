import { scopeMeanings } from '../../contract/scope-meanings.ts';
import { html, type Html } from '../../http/pages/page-html.ts';

/** Who registered an application. */
export interface Owner {
  readonly name: string;
  readonly username: string;
}

/** What the access would cover, under a heading. */
export function scopeList(heading: string, scopes: readonly string[]): Html {
  return html`<h2 id="scopes">${heading}</h2>
    <ul class="scopes" aria-labelledby="scopes">
      ${scopes.map((scope) => html`<li><span>${meaningOf(scope)}</span> <code>${scope}</code></li>`)}
    </ul>`;
}

/** A term and its description for the list of facts about an application. */
export function ownerFact({ name, username }: Owner): Html {
  return html`<dt>Registered by</dt>
    <dd><bdi>${name}</bdi>${name !== username && html` (${username})`}</dd>`;
}

/** The two buttons. @param request the number under which the question waits on the server. */
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
