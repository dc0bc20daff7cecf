# python-gitlab 3.12: uses a token that somebody else got, as an OAuth token and as a personal access token.
import hashlib
import json
import sys

import gitlab
import requests

wish = json.loads(sys.stdin.readline())
address = requests.Request(
    "GET",
    wish["url"] + "/oauth/authorize",
    params={"response_type": "code", "client_id": wish["clientId"], "redirect_uri": wish["redirectUri"], "scope": wish["scope"], "state": "s"},
).prepare()
print(json.dumps({"open": address.url}), flush=True)
code = requests.utils.urlparse(sys.stdin.readline().strip()).query.split("code=")[1].split("&")[0]
answer = requests.post(
    wish["url"] + "/oauth/token",
    data={"grant_type": "authorization_code", "code": code, "redirect_uri": wish["redirectUri"], "client_id": wish["clientId"], "client_secret": wish["secret"]},
)

oauth = gitlab.Gitlab(wish["url"], oauth_token=answer.json()["access_token"])
oauth.auth()
found = {"user": oauth.user.username, "name": oauth.user.name}
streamed = oauth.http_request("get", wish["download"], streamed=True)
found["download"] = hashlib.sha256(streamed.content).hexdigest()

private = gitlab.Gitlab(wish["url"], private_token=wish["personalToken"])
private.auth()
found["private_user"] = private.user.username
found["by_name"] = [user.username for user in private.users.list(username=private.user.username.upper())]
found["nobody"] = len(private.users.list(username="nobody"))
found["by_number"] = private.users.get(private.user.id).username
found["version"] = len(private.version()[0].split("."))
listed = list(private.personal_access_tokens.list(iterator=True))
found["listed"] = [token.name for token in listed if token.active]
listed[0].delete()
try:
    private.auth()
    found["after_delete"] = "works"
except gitlab.exceptions.GitlabAuthenticationError as error:
    found["after_delete"] = error.response_code
print(json.dumps({"done": found}), flush=True)
