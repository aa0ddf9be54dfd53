package resources_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources"
)

func TestMaskSecrets(t *testing.T) {
	for line, want := range map[string]string{
		"x --api-key=hunter2 --password hunter2 y":                "x --api-key=*** --password *** y",
		"git push https://me:hunter2@example.com/x.git":           "git push https://***@example.com/x.git",
		"git clone ssh://hunter2@example.com":                     "git clone ssh://***@example.com",
		"GITHUB_TOKEN=hunter2 git push":                           "GITHUB_TOKEN=*** git push",
		"npm publish --//registry.example/:_authToken=hunter2":    "npm publish --//registry.example/:_authToken=***",
		"curl https://example.com/?a=b&token=hunter2":             "curl https://example.com/?a=b&token=***",
		`curl -H "Authorization: Bearer hunter2" x`:               `curl -H "Authorization:*** Bearer *** x`,
		"curl --basic-auth hunter2":                               "curl --basic-auth ***",
		"x --no-auth --verbose":                                   "x --no-auth --verbose",
		"git commit --author=Ann -m x":                            "git commit --author=Ann -m x",
		"go test ./token/... -run Parse":                          "go test ./token/... -run Parse",
		"curl https://token.example.com:8080/a@b":                 "curl https://token.example.com:8080/a@b",
		"git fetch https://example.com/a@b":                       "git fetch https://example.com/a@b",
		"gh api -H x:ghp_0123456789abcdefghij/y":                  "gh api -H x:***/y",
		"ls npm_modules sk-learn":                                 "ls npm_modules sk-learn",
		"ghp_0123456789abcdefghij,ghp_a,ghp_0123456789abcdefghik": "***,ghp_a,***",
		`{"task-id":"sk-0123456789abcdefghij"}`:                   `{"task-id":"***"}`,
		"task-sk-0123456789abcdefghij":                            "task-sk-0123456789abcdefghij",
		"":                                                        "",
	} {
		once := resources.MaskSecrets(strings.Split(line, " "))
		assert.Equal(t, want, strings.Join(once, " "))
		assert.Equal(t, once, resources.MaskSecrets(once), "twice is once")
	}
	assert.Equal(t, []string{"-H", "Authorization:***"}, resources.MaskSecrets([]string{"-H", "Authorization: Bearer hunter2"}), "a word as a shell reads it")
}

// Words about tokens are no tokens; what is one keeps an object from going to others.
func TestHoldsSecret(t *testing.T) {
	for _, text := range []string{
		"use ghp_abcdefghijklmnop1234", `{"notes": "AKIAABCDEFGHIJKLMNOP"}`, "npm_x then npm_abcdefghijklmnopqrst", "-----BEGIN RSA PRIVATE KEY-----\\nMII",
		"https://lead:hunter2@example.org/x", "TOKEN=sk-ant-abcdefghijklmnopqrstuv",
		"the key is sk-abcdefghijklmnopqrstuvwx", "key:sk-0123456789abcdef", `{"content": "one\nsk-0123456789abcdefgh\ntwo"}`,
	} {
		if !resources.HoldsSecret(text) {
			t.Errorf("%q holds one", text)
		}
	}
	for _, text := range []string{
		"rotate the token: refresh it daily", "ghp_short", "https://example.org/a@b", "https://git@example.org/x", "password=*** stays", "the authorization header",
		"task-0123456789abcdefghij", "risk-assessment", "sk-learn-0123456789abcdef", "sk-short",
	} {
		if resources.HoldsSecret(text) {
			t.Errorf("%q holds none", text)
		}
	}
}

func TestNewSecret(t *testing.T) {
	const token = "ghp_abcdefghijklmnop1234"
	for _, test := range []struct{ text, before, want string }{
		{"use " + token, "", "a token (ghp_...)"}, {"use " + token, "was " + token, ""}, {"x", token, ""},
		{"https://a:b@example.org", "", "an address with a password"}, {"-----BEGIN PRIVATE KEY-----", "", "a private key"},
	} {
		if got := resources.NewSecret(test.text, test.before); got != test.want {
			t.Errorf("%q over %q: %q, want %q", test.text, test.before, got, test.want)
		}
	}
}
