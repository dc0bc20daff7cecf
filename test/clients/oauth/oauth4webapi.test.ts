import * as oauth from 'oauth4webapi';
import { describe, expect, test, vi } from 'vitest';
import { approve } from './approve.ts';
import { digestOf, redirectUri, scope, useProvider } from './javascript-scene.ts';

// Third-party programs start slowly on a busy machine.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

const scene = useProvider();

const http = { [oauth.allowInsecureRequests]: true };

describe('oauth4webapi', () => {
  test('a program without a secret: metadata, PKCE, issuer, download, refresh, revocation', async () => {
    const { clientId } = await scene.provider.register({
      name: 'A program',
      redirectUris: ['http://127.0.0.1/callback'],
      scopes: scope.split(' '),
      confidential: false,
    });
    const issuer = new URL(scene.provider.url);
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
    const answered = oauth.validateAuthResponse(server, client, (await approve(scene.provider, address)).url, state);
    const exchange = () =>
      oauth.authorizationCodeGrantRequest(server, client, oauth.None(), answered, redirectUri, verifier, http);
    const token = await oauth.processAuthorizationCodeResponse(server, client, await exchange());
    expect(token).toMatchObject({ token_type: 'bearer', expires_in: 7200, scope });

    const ask = (accessToken: string, url: string) =>
      oauth.protectedResourceRequest(accessToken, 'GET', new URL(url), undefined, undefined, http);
    expect(await (await ask(token.access_token, `${scene.provider.url}/api/v4/user`)).json()).toMatchObject({
      username: 'alice',
    });
    expect(await digestOf(await ask(token.access_token, scene.provider.download))).toBe(scene.provider.downloadDigest);

    const refresh = async (refreshToken: string) =>
      oauth.processRefreshTokenResponse(
        server,
        client,
        await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken, http),
      );
    const renewed = await refresh(token.refresh_token ?? '');
    expect(renewed.access_token).not.toBe(token.access_token);
    expect(await scene.provider.statusOf(renewed.access_token)).toBe(200);
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, oauth.None(), renewed.refresh_token ?? '', http),
    );
    expect(await scene.provider.statusOf(renewed.access_token)).toBe(401);
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
    const web = await scene.provider.register({
      name: 'Web',
      redirectUris: ['https://app.example.com/cb'],
      scopes: ['openid', 'profile', 'email'],
      confidential: true,
    });
    const issuer = new URL(scene.provider.url);
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
      (await approve(scene.provider, address)).url,
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
