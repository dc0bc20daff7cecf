import { answer, type FakeAnswer } from './fake-answer.ts';
import { someTokens } from './fake-data.ts';

/** Personal access tokens: listed, created (`id` is null), rotated and revoked. */
export function fakeTokens(hasTokens: boolean) {
  let tokens = hasTokens ? someTokens() : [];
  return (method: string, id: number | null, body: Readonly<Record<string, string | undefined>>): FakeAnswer => {
    if (method === 'GET') return answer(200, tokens, { 'x-total': String(tokens.length) });
    if (method === 'DELETE') {
      tokens = tokens.map((token) => (token.id === id ? { ...token, revoked: true, active: false } : token));
      return { status: 204 };
    }
    const rotated = tokens.find((token) => token.id === id);
    const [sample] = someTokens();
    const template = rotated ?? sample;
    if (template === undefined) throw new Error('there is no sample of a token');
    tokens = tokens.map((token) => (token === rotated ? { ...token, revoked: true, active: false } : token));
    const token = {
      ...template,
      id: 90 + tokens.length,
      name: body['name'] ?? template.name,
      description: rotated?.description ?? '',
      scopes: (body['scopes'] as unknown as string[] | undefined) ?? template.scopes,
      expires_at: body['expires_at'] ?? null,
      last_used_at: null,
      last_used_ips: [],
      created_at: new Date().toISOString(),
    };
    tokens = [...tokens, token];
    return answer(rotated === undefined ? 201 : 200, {
      ...token,
      token: 'bppat-7Yk2mQ9xV4cTz8WfR1nLb6HsJ3pDg5Ae0uK7iX',
    });
  };
}
