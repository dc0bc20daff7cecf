import { Gitlab } from '@gitbeaker/rest';
import * as openid from 'openid-client';
import { AuthorizationCode, ResourceOwnerPassword } from 'simple-oauth2';
import { describe, expect, test, vi } from 'vitest';
import { approve, approveDevice } from './approve.ts';
import { digestOf, redirectUri, scope, useProvider } from './javascript-scene.ts';

// Third-party programs start slowly on a busy machine.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

const scene = useProvider();

describe('openid-client', () => {
  test('a web application: discovery, code, userinfo, refresh, introspection, revocation', async () => {
    const web = await scene.provider.register({
      name: 'Portal',
      redirectUris: [redirectUri],
      scopes: ['openid', 'profile', 'read_user'],
      confidential: true,
    });
    const config = await openid.discovery(
      new URL(scene.provider.url),
      web.clientId,
      web.secret,
      openid.ClientSecretPost(web.secret),
      {
        execute: [openid.allowInsecureRequests],
      },
    );
    const [pkceCodeVerifier, expectedState, expectedNonce] = [
      openid.randomPKCECodeVerifier(),
      openid.randomState(),
      openid.randomNonce(),
    ];
    const address = openid.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'openid profile read_user',
      state: expectedState,
      nonce: expectedNonce,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    const callback = (await approve(scene.provider, address)).url;
    const tokens = await openid.authorizationCodeGrant(config, callback, {
      pkceCodeVerifier,
      expectedState,
      expectedNonce,
    });
    expect(await openid.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? '')).toMatchObject({
      preferred_username: 'alice',
    });
    const user = await openid.fetchProtectedResource(
      config,
      tokens.access_token,
      new URL(`${scene.provider.url}/api/v4/user`),
      'GET',
    );
    expect(await user.json()).toMatchObject({ username: 'alice', email: 'alice@example.com' });

    const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(await openid.tokenIntrospection(config, renewed.access_token)).toMatchObject({ active: true });
    await openid.tokenRevocation(config, renewed.access_token);
    expect(await openid.tokenIntrospection(config, renewed.access_token)).toMatchObject({ active: false });
    expect(await scene.provider.statusOf(renewed.access_token)).toBe(401);
  });

  test('a program without a browser: device codes', async () => {
    const device = await scene.provider.register({
      name: 'Bench box',
      redirectUris: [],
      scopes: scope.split(' '),
      confidential: false,
      deviceGrant: true,
    });
    const config = await openid.discovery(new URL(scene.provider.url), device.clientId, undefined, openid.None(), {
      execute: [openid.allowInsecureRequests],
    });
    const begun = await openid.initiateDeviceAuthorization(config, { scope });
    expect(begun).toMatchObject({
      expires_in: 300,
      interval: 5,
      verification_uri: `${scene.provider.url}/oauth/device`,
    });
    const polled = openid.pollDeviceAuthorizationGrant(config, begun);
    await approveDevice(scene.provider, begun.verification_uri_complete ?? '');
    const tokens = await polled;
    const fetched = await openid.fetchProtectedResource(
      config,
      tokens.access_token,
      new URL(scene.provider.download),
      'GET',
    );
    expect(await digestOf(fetched)).toBe(scene.provider.downloadDigest);
  });
});

describe('simple-oauth2', () => {
  test('code, refresh and revocation by its default paths', async () => {
    const web = await scene.provider.register({
      name: 'Simple',
      redirectUris: ['https://app.example.com/simple?tenant=7'],
      scopes: scope.split(' '),
      confidential: true,
    });
    const client = new AuthorizationCode({
      client: { id: web.clientId, secret: web.secret },
      auth: { tokenHost: scene.provider.url },
    });
    const redirect = 'https://app.example.com/simple?tenant=7';
    const state = 'a state / with + signs & more';
    const { url } = await approve(scene.provider, client.authorizeURL({ redirect_uri: redirect, scope, state }));
    expect([url.searchParams.get('state'), url.searchParams.get('tenant')]).toEqual([state, '7']);
    const token = await client.getToken({ code: url.searchParams.get('code') ?? '', redirect_uri: redirect });
    expect(await scene.provider.statusOf(String(token.token['access_token']))).toBe(200);
    const fetched = await fetch(scene.provider.download, {
      headers: { authorization: `Bearer ${String(token.token['access_token'])}` },
    });
    expect(await digestOf(fetched)).toBe(scene.provider.downloadDigest);
    const renewed = await token.refresh({ scope: 'read_user' });
    expect(renewed.token).toMatchObject({ scope: 'read_user', expires_in: 7200 });
    await renewed.revokeAll();
    expect(await scene.provider.statusOf(String(renewed.token['access_token']))).toBe(401);
  });

  test('the password grant', async () => {
    const own = await scene.provider.register({
      name: 'Own',
      redirectUris: ['https://app.example.com/own'],
      scopes: scope.split(' '),
      confidential: true,
    });
    const client = new ResourceOwnerPassword({
      client: { id: own.clientId, secret: own.secret },
      auth: { tokenHost: scene.provider.url },
    });
    const { token } = await client.getToken({
      username: scene.provider.username,
      password: scene.provider.password,
      scope,
    });
    expect(token).toMatchObject({ scope, token_type: 'bearer' });
    expect(await scene.provider.statusOf(String(token['access_token']))).toBe(200);
  });
});

test('@gitbeaker/rest: the user by an OAuth token, and rotation and revocation of personal access tokens', async () => {
  const web = await scene.provider.register({
    name: 'Beaker',
    redirectUris: [redirectUri],
    scopes: ['api'],
    confidential: true,
  });
  const client = new AuthorizationCode({
    client: { id: web.clientId, secret: web.secret },
    auth: { tokenHost: scene.provider.url },
  });
  const { url } = await approve(
    scene.provider,
    client.authorizeURL({ redirect_uri: redirectUri, scope: 'api', state: 's' }),
  );
  const { token } = await client.getToken({ code: url.searchParams.get('code') ?? '', redirect_uri: redirectUri });
  const oauthToken = String(token['access_token']);
  const api = new Gitlab({ host: scene.provider.url, oauthToken });
  expect(await api.Users.showCurrentUser()).toMatchObject({ username: 'alice', state: 'active' });

  const personal = await scene.provider.personalToken();
  const byToken = new Gitlab({ host: scene.provider.url, token: personal });
  const shown = await byToken.PersonalAccessTokens.show();
  expect(shown).toMatchObject({ name: 'test', active: true, scopes: ['api'] });
  const rotated = await byToken.PersonalAccessTokens.rotate('self');
  const again = new Gitlab({ host: scene.provider.url, token: (rotated as { readonly token: string }).token });
  expect((await again.PersonalAccessTokens.all()).filter((one) => one.active)).toHaveLength(1);
  await again.PersonalAccessTokens.remove({ tokenId: rotated.id });
  expect(await scene.provider.statusOf(personal)).toBe(401);
  await expect(again.Users.showCurrentUser()).rejects.toThrow('invalid_token');
});
