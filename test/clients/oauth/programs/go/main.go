// golang.org/x/oauth2: finds out by itself how the client authenticates (Basic first, then the body), refreshes in its transport, and takes the password grant.
package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"golang.org/x/oauth2"
)

type wish struct {
	URL, Download, ClientID, Secret, RedirectURI, Scope, Username, Password string
}

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func say(name string, value any) {
	fmt.Println(string(must(json.Marshal(map[string]any{name: value}))))
}

func fetch(client *http.Client, address string) []byte {
	answer := must(client.Get(address))
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return []byte(answer.Status)
	}
	return must(io.ReadAll(answer.Body))
}

func user(client *http.Client, base string) string {
	var one struct{ Username string }
	body := fetch(client, base+"/api/v4/user")
	if json.Unmarshal(body, &one) != nil {
		return string(body)
	}
	return one.Username
}

func main() {
	input := bufio.NewReader(os.Stdin)
	var w wish
	must(0, json.Unmarshal([]byte(must(input.ReadString('\n'))), &w))
	config := &oauth2.Config{
		ClientID: w.ClientID, ClientSecret: w.Secret, RedirectURL: w.RedirectURI, Scopes: strings.Fields(w.Scope),
		Endpoint: oauth2.Endpoint{AuthURL: w.URL + "/oauth/authorize", TokenURL: w.URL + "/oauth/token"},
	}
	verifier := strings.Repeat("go-verifier.", 5)
	sum := sha256.Sum256([]byte(verifier))
	challenge := base64.RawURLEncoding.EncodeToString(sum[:])
	say("open", config.AuthCodeURL("a state", oauth2.SetAuthURLParam("code_challenge", challenge), oauth2.SetAuthURLParam("code_challenge_method", "S256")))
	callback := must(url.Parse(strings.TrimSpace(must(input.ReadString('\n'))))).Query()
	if callback.Get("state") != "a state" {
		must(0, fmt.Errorf("state is %q", callback.Get("state")))
	}

	ctx := context.Background()
	token := must(config.Exchange(ctx, callback.Get("code"), oauth2.SetAuthURLParam("code_verifier", verifier)))
	client := config.Client(ctx, token)
	digest := sha256.Sum256(fetch(client, w.Download))
	found := map[string]any{
		"type": token.Type(), "minutes": int(time.Until(token.Expiry).Minutes() + 0.5), "scope": token.Extra("scope"),
		"user": user(client, w.URL), "download": hex.EncodeToString(digest[:]),
	}

	expired := *token
	expired.Expiry = time.Now().Add(-time.Minute)
	source := config.TokenSource(ctx, &expired)
	renewed := must(source.Token())
	found["refreshed"] = renewed.AccessToken != token.AccessToken && renewed.RefreshToken != token.RefreshToken
	found["user_after_refresh"] = user(oauth2.NewClient(ctx, source), w.URL)

	revoked := must(http.PostForm(w.URL+"/oauth/revoke", url.Values{"token": {renewed.RefreshToken}, "client_id": {w.ClientID}, "client_secret": {w.Secret}}))
	found["revoke"] = revoked.StatusCode
	renewed.Expiry = time.Now().Add(-time.Minute)
	_, err := config.TokenSource(ctx, renewed).Token()
	found["after_revoke"] = err != nil && strings.Contains(err.Error(), `"error":"invalid_grant"`)

	if w.Secret != "" {
		byPassword := must(config.PasswordCredentialsToken(ctx, w.Username, w.Password))
		found["password_grant"] = user(config.Client(ctx, byPassword), w.URL)
	}
	say("done", found)
}
