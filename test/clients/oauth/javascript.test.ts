import { Gitlab } from '@gitbeaker/rest';
import { hash } from 'node:crypto';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { AuthorizationCode, ResourceOwnerPassword } from 'simple-oauth2';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { approve, approveDevice } from './approve.ts';
import { startProvider, type Provider } from './start-provider.ts';

// Third-party programs start slowly on a busy machine.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

let provider: Provider;
beforeAll(async () => (provider = await startProvider()));
afterAll(() => provider.end());

const http = { [oauth.allowInsecureRequests]: true };
const redirectUri = 'http://127.0.0.1:49152/callback';
const scope = 'read_user read_measurement';
const digestOf = async (response: Response) => hash('sha256', Buffer.from(await response.arrayBuffer()));

describe('oauth4webapi', () => {
  test('a program without a secret: metadata, PKCE, issuer, download, refresh, revocation', async () => {
    const { clientId } = await provider.register({
      name: 'A program',
      redirectUris: ['http://127.0.0.1/callback'],
      scopes: scope.split(' '),
      confidential: false,
    });
    const issuer = new URL(provider.url);
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...http }),
    );
    const client: oauth.Client = { client_id: clientId };
    const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
    const address = new URL(server.authorization_endpoint ?? '');
    address.search = new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString();
    const answered = oauth.validateAuthResponse(server, client, (await approve(provider, address)).url, state);
    const exchange = () =>
      oauth.authorizationCodeGrantRequest(server, client, oauth.None(), answered, redirectUri, verifier, http);
    const token = await oauth.processAuthorizationCodeResponse(server, client, await exchange());
    expect(token).toMatchObject({ token_type: 'bearer', expires_in: 7200, scope });

    const ask = (accessToken: string, url: string) =>
      oauth.protectedResourceRequest(accessToken, 'GET', new URL(url), undefined, undefined, http);
    expect(await (await ask(token.access_token, `${provider.url}/api/v4/user`)).json()).toMatchObject({
      username: 'alice',
    });
    expect(await digestOf(await ask(token.access_token, provider.download))).toBe(provider.downloadDigest);

    const refresh = async (refreshToken: string) =>
      oauth.processRefreshTokenResponse(
        server,
        client,
        await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken, http),
      );
    const renewed = await refresh(token.refresh_token ?? '');
    expect(renewed.access_token).not.toBe(token.access_token);
    expect(await provider.statusOf(renewed.access_token)).toBe(200);
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, oauth.None(), renewed.refresh_token ?? '', http),
    );
    expect(await provider.statusOf(renewed.access_token)).toBe(401);
    // The client reports a 400 with WWW-Authenticate as another error, so the response must not
    // have one.
    await expect(refresh(renewed.refresh_token ?? '')).rejects.toMatchObject({
      name: 'ResponseBodyError',
      error: 'invalid_grant',
      status: 400,
    });
    await expect(
      exchange().then((response) => oauth.processAuthorizationCodeResponse(server, client, response)),
    ).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  test('a web application with a secret: OpenID Connect with a nonce, userinfo, introspection', async () => {
    const web = await provider.register({
      name: 'Web',
      redirectUris: ['https://app.example.com/cb'],
      scopes: ['openid', 'profile', 'email'],
      confidential: true,
    });
    const issuer = new URL(provider.url);
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: 'oidc', ...http }),
    );
    const client: oauth.Client = { client_id: web.clientId };
    const [nonce, verifier] = [oauth.generateRandomNonce(), oauth.generateRandomCodeVerifier()];
    const address = new URL(server.authorization_endpoint ?? '');
    address.search = new URLSearchParams({
      client_id: web.clientId,
      redirect_uri: 'https://app.example.com/cb',
      response_type: 'code',
      scope: 'openid profile email',
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString();
    const answered = oauth.validateAuthResponse(
      server,
      client,
      (await approve(provider, address)).url,
      oauth.expectNoState,
    );
    const authentication = oauth.ClientSecretBasic(web.secret);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      answered,
      'https://app.example.com/cb',
      verifier,
      http,
    );
    const token = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(server, response, http);
    const claims = oauth.getValidatedIdTokenClaims(token);
    const info = await oauth.userInfoRequest(server, client, token.access_token, http);
    expect(await oauth.processUserInfoResponse(server, client, claims?.sub ?? '', info)).toMatchObject({
      name: 'Alice Ångström',
      preferred_username: 'alice',
      email: 'alice@example.com',
    });
    const introspect = async (value: string) =>
      oauth.processIntrospectionResponse(
        server,
        client,
        await oauth.introspectionRequest(server, client, authentication, value, http),
      );
    expect(await introspect(token.access_token)).toMatchObject({
      active: true,
      client_id: web.clientId,
      scope: 'openid profile email',
    });
    expect(await introspect('0'.repeat(64))).toEqual({ active: false });
  });
});

describe('openid-client', () => {
  test('a web application: discovery, code, userinfo, refresh, introspection, revocation', async () => {
    const web = await provider.register({
      name: 'Portal',
      redirectUris: [redirectUri],
      scopes: ['openid', 'profile', 'read_user'],
      confidential: true,
    });
    const config = await openid.discovery(
      new URL(provider.url),
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
    const callback = (await approve(provider, address)).url;
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
      new URL(`${provider.url}/api/v4/user`),
      'GET',
    );
    expect(await user.json()).toMatchObject({ username: 'alice', email: 'alice@example.com' });

    const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(await openid.tokenIntrospection(config, renewed.access_token)).toMatchObject({ active: true });
    await openid.tokenRevocation(config, renewed.access_token);
    expect(await openid.tokenIntrospection(config, renewed.access_token)).toMatchObject({ active: false });
    expect(await provider.statusOf(renewed.access_token)).toBe(401);
  });

  test('a program without a browser: device codes', async () => {
    const device = await provider.register({
      name: 'Bench box',
      redirectUris: [],
      scopes: scope.split(' '),
      confidential: false,
      deviceGrant: true,
    });
    const config = await openid.discovery(new URL(provider.url), device.clientId, undefined, openid.None(), {
      execute: [openid.allowInsecureRequests],
    });
    const begun = await openid.initiateDeviceAuthorization(config, { scope });
    expect(begun).toMatchObject({ expires_in: 300, interval: 5, verification_uri: `${provider.url}/oauth/device` });
    const polled = openid.pollDeviceAuthorizationGrant(config, begun);
    await approveDevice(provider, begun.verification_uri_complete ?? '');
    const tokens = await polled;
    const fetched = await openid.fetchProtectedResource(config, tokens.access_token, new URL(provider.download), 'GET');
    expect(await digestOf(fetched)).toBe(provider.downloadDigest);
  });
});

describe('simple-oauth2', () => {
  test('code, refresh and revocation by its default paths', async () => {
    const web = await provider.register({
      name: 'Simple',
      redirectUris: ['https://app.example.com/simple?tenant=7'],
      scopes: scope.split(' '),
      confidential: true,
    });
    const client = new AuthorizationCode({
      client: { id: web.clientId, secret: web.secret },
      auth: { tokenHost: provider.url },
    });
    const redirect = 'https://app.example.com/simple?tenant=7';
    const state = 'a state / with + signs & more';
    const { url } = await approve(provider, client.authorizeURL({ redirect_uri: redirect, scope, state }));
    expect([url.searchParams.get('state'), url.searchParams.get('tenant')]).toEqual([state, '7']);
    const token = await client.getToken({ code: url.searchParams.get('code') ?? '', redirect_uri: redirect });
    expect(await provider.statusOf(String(token.token['access_token']))).toBe(200);
    const fetched = await fetch(provider.download, {
      headers: { authorization: `Bearer ${String(token.token['access_token'])}` },
    });
    expect(await digestOf(fetched)).toBe(provider.downloadDigest);
    const renewed = await token.refresh({ scope: 'read_user' });
    expect(renewed.token).toMatchObject({ scope: 'read_user', expires_in: 7200 });
    await renewed.revokeAll();
    expect(await provider.statusOf(String(renewed.token['access_token']))).toBe(401);
  });

  test('the password grant', async () => {
    const own = await provider.register({
      name: 'Own',
      redirectUris: ['https://app.example.com/own'],
      scopes: scope.split(' '),
      confidential: true,
    });
    const client = new ResourceOwnerPassword({
      client: { id: own.clientId, secret: own.secret },
      auth: { tokenHost: provider.url },
    });
    const { token } = await client.getToken({ username: provider.username, password: provider.password, scope });
    expect(token).toMatchObject({ scope, token_type: 'bearer' });
    expect(await provider.statusOf(String(token['access_token']))).toBe(200);
  });
});

test('@gitbeaker/rest: the user by an OAuth token, and rotation and revocation of personal access tokens', async () => {
  const web = await provider.register({
    name: 'Beaker',
    redirectUris: [redirectUri],
    scopes: ['api'],
    confidential: true,
  });
  const client = new AuthorizationCode({
    client: { id: web.clientId, secret: web.secret },
    auth: { tokenHost: provider.url },
  });
  const { url } = await approve(provider, client.authorizeURL({ redirect_uri: redirectUri, scope: 'api', state: 's' }));
  const { token } = await client.getToken({ code: url.searchParams.get('code') ?? '', redirect_uri: redirectUri });
  const oauthToken = String(token['access_token']);
  const api = new Gitlab({ host: provider.url, oauthToken });
  expect(await api.Users.showCurrentUser()).toMatchObject({ username: 'alice', state: 'active' });

  const personal = await provider.personalToken();
  const byToken = new Gitlab({ host: provider.url, token: personal });
  const shown = await byToken.PersonalAccessTokens.show();
  expect(shown).toMatchObject({ name: 'test', active: true, scopes: ['api'] });
  const rotated = await byToken.PersonalAccessTokens.rotate('self');
  const again = new Gitlab({ host: provider.url, token: (rotated as { readonly token: string }).token });
  expect((await again.PersonalAccessTokens.all()).filter((one) => one.active)).toHaveLength(1);
  await again.PersonalAccessTokens.remove({ tokenId: rotated.id });
  expect(await provider.statusOf(personal)).toBe(401);
  await expect(again.Users.showCurrentUser()).rejects.toThrow('invalid_token');
});
