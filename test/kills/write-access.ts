import { hiddenFields } from '../service/browser.ts';
import { answered, certaintyOf } from './expected.ts';
import { askAt } from './service-process.ts';
import { newName, password, pick, type World } from './world.ts';

export async function createToken({ service, expected }: World): Promise<boolean> {
  const answer = await service.ask('POST', '/api/v4/user/personal_access_tokens', {
    name: newName(),
    scopes: ['read_api'],
  });
  if (answer?.status === 201) {
    const { id, token } = answer.body as { id: number; token: string };
    expected.tokens.set(id, { secret: token, revoked: 'no' });
    answered(expected, 'token made');
  }
  return answer !== null;
}

export async function revokeToken({ service, expected, random }: World): Promise<boolean> {
  const [id, token] =
    pick(
      random,
      [...expected.tokens].filter(([, { revoked }]) => revoked === 'no'),
    ) ?? [];
  if (id === undefined || !token) return true;
  token.revoked = 'perhaps';
  const answer = await service.ask('DELETE', `/api/v4/personal_access_tokens/${id}`);
  if (answer?.status === 204) {
    token.revoked = 'yes';
    answered(expected, 'token revoked');
  }
  return answer !== null;
}

export async function changeUser({ service, expected, random }: World): Promise<boolean> {
  const [id, user] =
    pick(
      random,
      [...expected.users].filter(([, { username }]) => username !== 'bob'),
    ) ?? [];
  if (id === undefined || !user || random() < 0.4) {
    const username = newName();
    const answer = await service.ask('POST', '/api/v4/users', { username, name: 'Somebody' });
    if (answer?.status === 201) {
      expected.users.set((answer.body as { id: number }).id, { username, blocked: 'no' });
      answered(expected, 'user made');
    }
    return answer !== null;
  }
  const blocks = random() < 0.5;
  user.blocked = 'perhaps';
  const answer = await service.ask('POST', `/api/v4/users/${id}/${blocks ? 'block' : 'unblock'}`);
  if (answer?.status === 201) {
    user.blocked = blocks ? 'yes' : 'no';
    answered(expected, 'user blocked or not');
  }
  return answer !== null;
}

export async function signInOrOut({ service, expected, random }: World): Promise<boolean> {
  const [cookie, session] =
    pick(
      random,
      [...expected.sessions].filter(([, { ended }]) => ended === 'no'),
    ) ?? [];
  if (cookie !== undefined && session && random() < 0.5) {
    const asked = await askAt(`${service.url}/api/v4/session`, 'GET', { headers: { cookie } });
    if (!asked) return false;
    session.ended = 'perhaps';
    const { csrf_token: csrf } = JSON.parse(asked.text) as { csrf_token: string };
    const answer = await askAt(`${service.url}/users/sign_out`, 'POST', {
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
      body: `csrf_token=${encodeURIComponent(csrf)}`,
    });
    if (answer !== null && answer.status < 400) {
      session.ended = 'yes';
      answered(expected, 'signed out');
    }
    return answer !== null;
  }
  const page = await askAt(`${service.url}/users/sign_in`, 'GET');
  if (!page) return false;
  const form = (page.headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0]).join('; ');
  const answer = await askAt(`${service.url}/users/sign_in`, 'POST', {
    headers: { cookie: form, 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ ...hiddenFields(page.text), username: 'bob', password }).toString(),
  });
  if (answer?.status === 303) {
    const made = (answer.headers['set-cookie'] ?? [])
      .map((line) => line.split(';', 1)[0] ?? '')
      .find((line) => line.includes('session'));
    if (made !== undefined) {
      expected.sessions.set(made, { ended: 'no' });
      answered(expected, 'signed in');
    }
  }
  return answer !== null;
}

export async function oauth({ service, expected, random, fixed }: World): Promise<boolean> {
  const post = async (address: string, fields: Record<string, string>) =>
    askAt(`${service.url}${address}`, 'POST', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        client_id: fixed.client.id,
        client_secret: fixed.client.secret,
        ...fields,
      }).toString(),
    });
  const family = pick(
    random,
    expected.families.filter((one) => certaintyOf(one) === 'no' && !one.busy),
  );
  if (!family || random() < 0.3) {
    const answer = await post('/oauth/token', { grant_type: 'password', username: 'bob', password });
    if (answer?.status === 200) {
      const { access_token: access, refresh_token: refresh } = JSON.parse(answer.text) as {
        access_token: string;
        refresh_token: string;
      };
      expected.families.push({ access, refresh, ended: 'no', busy: false, lost: null });
      answered(expected, 'OAuth tokens');
    }
    return answer !== null;
  }
  family.busy = true;
  try {
    if (random() < 0.3) {
      family.ended = 'perhaps';
      const answer = await post('/oauth/revoke', { token: family.refresh });
      if (answer?.status === 200) {
        family.ended = 'yes';
        answered(expected, 'revocation');
      }
      return answer !== null;
    }
    family.lost ??= Date.now();
    const answer = await post('/oauth/token', { grant_type: 'refresh_token', refresh_token: family.refresh });
    if (answer?.status === 200) {
      const { access_token: access, refresh_token: refresh } = JSON.parse(answer.text) as {
        access_token: string;
        refresh_token: string;
      };
      Object.assign(family, { access, refresh, lost: null });
      answered(expected, 'refresh');
    }
    return answer !== null;
  } finally {
    family.busy = false;
  }
}

export async function changeSettings({ service, expected }: World): Promise<boolean> {
  const pattern = newName();
  expected.settings.push(pattern);
  const answer = await service.ask('PUT', '/api/v4/local/ignore-list', { patterns: [pattern] });
  if (answer?.status === 200) {
    expected.settings = expected.settings.slice(expected.settings.indexOf(pattern));
    answered(expected, 'setting');
  }
  return answer !== null;
}
