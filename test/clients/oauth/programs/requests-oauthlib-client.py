# requests-oauthlib 1.3 over oauthlib: a web application with a secret, refreshing by itself, and the password grant.
import hashlib
import json
import os
import sys

from oauthlib.oauth2 import LegacyApplicationClient
from oauthlib.oauth2.rfc6749.errors import InvalidGrantError
from requests_oauthlib import OAuth2Session

# oauthlib refuses plain http unless told that this is a test.
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

wish = json.loads(sys.stdin.readline())
token_url = wish["url"] + "/oauth/token"
client = {"client_id": wish["clientId"], "client_secret": wish["secret"]}


def user(session):
    answer = session.get(wish["url"] + "/api/v4/user")
    return answer.json().get("username") if answer.ok else answer.status_code


session = OAuth2Session(wish["clientId"], redirect_uri=wish["redirectUri"], scope=wish["scope"].split())
address, state = session.authorization_url(wish["url"] + "/oauth/authorize")
print(json.dumps({"open": address}), flush=True)
callback = sys.stdin.readline().strip()
token = session.fetch_token(token_url, authorization_response=callback, client_secret=wish["secret"])
found = {"token_type": token["token_type"], "expires_in": token["expires_in"], "scope": " ".join(token["scope"]), "user": user(session)}
found["download"] = hashlib.sha256(session.get(wish["download"]).content).hexdigest()

# A token that this side believes to be expired is refreshed in passing.
kept = []
session.token = {**token, "expires_at": 1, "expires_in": -1}
session.auto_refresh_url = token_url
session.auto_refresh_kwargs = client
session.token_updater = kept.append
found["user_after_refresh"] = user(session)
found["refreshed"] = len(kept) == 1 and kept[0]["access_token"] != token["access_token"] and kept[0]["refresh_token"] != token["refresh_token"]

session.token = kept[0]
revoked = session.post(wish["url"] + "/oauth/revoke", data={"token": kept[0]["refresh_token"], **client}, withhold_token=True)
found["revoke"] = revoked.status_code
found["user_after_revoke"] = user(session)
try:
    session.refresh_token(token_url, refresh_token=kept[0]["refresh_token"], **client)
    found["after_revoke"] = "refreshed"
except InvalidGrantError as error:
    found["after_revoke"] = error.error

trusted = OAuth2Session(client=LegacyApplicationClient(client_id=wish["clientId"], scope=["read_user"]))
by_password = trusted.fetch_token(token_url, username=wish["username"], password=wish["password"], **client)
found["password_grant"] = user(trusted)
found["password_refresh"] = "refresh_token" in by_password
print(json.dumps({"done": found}), flush=True)
