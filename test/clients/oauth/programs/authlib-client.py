# Authlib 1.2: endpoints from the metadata, PKCE without a secret, refreshing by itself, revocation and introspection as it builds them.
import hashlib
import json
import sys

import requests
from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from authlib.common.security import generate_token
from authlib.jose import jwt
from authlib.oidc.core import CodeIDToken

wish = json.loads(sys.stdin.readline())
metadata = requests.get(wish["url"] + "/.well-known/openid-configuration").json()
public = wish["secret"] == ""
kept = []
session = OAuth2Session(
    client_id=wish["clientId"],
    client_secret=wish["secret"] or None,
    token_endpoint_auth_method="none" if public else "client_secret_basic",
    revocation_endpoint_auth_method="none" if public else "client_secret_basic",
    redirect_uri=wish["redirectUri"],
    scope=wish["scope"],
    code_challenge_method="S256",
    token_endpoint=metadata["token_endpoint"],
    update_token=lambda token, **_: kept.append(token),
)


def user():
    answer = session.get(wish["url"] + "/api/v4/user")
    return answer.json().get("username") if answer.ok else answer.status_code


verifier, nonce = generate_token(64), generate_token(20)
address, state = session.create_authorization_url(metadata["authorization_endpoint"], code_verifier=verifier, nonce=nonce)
print(json.dumps({"open": address}), flush=True)
callback = sys.stdin.readline().strip()
token = session.fetch_token(authorization_response=callback, code_verifier=verifier, state=state)
found = {"token_type": token["token_type"], "scope": token["scope"], "user": user()}
found["download"] = hashlib.sha256(session.get(wish["download"]).content).hexdigest()

keys = requests.get(metadata["jwks_uri"]).json()
claims = jwt.decode(token["id_token"], keys, CodeIDToken, {"iss": {"value": metadata["issuer"]}, "aud": {"value": wish["clientId"]}}, {"nonce": nonce})
claims.validate()
info = session.get(metadata["userinfo_endpoint"]).json()
found["id_token"] = claims["sub"] == info["sub"]

session.token = {**token, "expires_at": 1}
found["user_after_refresh"] = user()
found["refreshed"] = len(kept) == 1 and kept[0]["access_token"] != token["access_token"]

if not public:
    answer = session.introspect_token(metadata["introspection_endpoint"], token=kept[0]["access_token"])
    found["introspection"] = answer.json()["active"]
revoked = session.revoke_token(metadata["revocation_endpoint"], token=kept[0]["refresh_token"], token_type_hint="refresh_token")
found["revoke"] = revoked.status_code
found["user_after_revoke"] = user()
try:
    session.refresh_token(metadata["token_endpoint"], refresh_token=kept[0]["refresh_token"])
    found["after_revoke"] = "refreshed"
except OAuthError as error:
    found["after_revoke"] = error.error
print(json.dumps({"done": found}), flush=True)
