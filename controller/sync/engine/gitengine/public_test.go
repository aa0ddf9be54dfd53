package gitengine

import (
	"context"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

func TestWhoeverAsksAsAStranger(t *testing.T) {
	for remote, address := range map[string]string{
		"git@github.com:acme/shop.git":              "https://github.com/acme/shop.git",
		"github.com:acme/shop":                      "https://github.com/acme/shop",
		"ssh://git@example.org:2222/acme/shop":      "https://example.org/acme/shop",
		"https://lead:secret@example.org/acme/shop": "https://example.org/acme/shop",
		"git://example.org/shop":                    "git://example.org/shop",
		"/srv/git/shop.git":                         "",
		"../shop.git":                               "",
		"file:///srv/git/shop.git":                  "",
		"C:/git/shop":                               "",
		"ext::sh -c x":                              "",
	} {
		assert.Equal(t, address, anonymousURL(remote), remote)
	}
}

// A remote that a plain web server gives to everybody is public; with a password it is not.
func TestPublic(t *testing.T) {
	dir := t.TempDir()
	hub, work := filepath.Join(dir, "shop.git"), filepath.Join(dir, "work")
	run(t, dir, "init", "-q", "--bare", hub)
	run(t, dir, "init", "-q", work)
	require.NoError(t, os.WriteFile(filepath.Join(work, "a"), []byte("a"), 0o600))
	run(t, work, "add", "a")
	run(t, work, "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "a")
	run(t, work, "push", "-q", hub, "HEAD:refs/heads/main")
	run(t, hub, "symbolic-ref", "HEAD", "refs/heads/main")
	run(t, hub, "update-server-info")
	files := http.FileServer(http.Dir(dir))
	assert.True(t, Public(t.Context(), serve(t, files)+"/shop.git"))
	assert.False(t, Public(t.Context(), serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, _, ok := r.BasicAuth(); !ok {
			w.Header().Set("WWW-Authenticate", "Basic")
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		files.ServeHTTP(w, r)
	}))+"/shop.git"))
	assert.False(t, Public(t.Context(), hub))
}

func serve(t *testing.T, h http.Handler) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := &http.Server{Handler: h}
	go s.Serve(l)
	t.Cleanup(func() { s.Close() })
	return "http://" + l.Addr().String()
}

// What git says that waiting does not mend is a person's to mend, and nobody is asked.
func TestAPersonHasToDoSomething(t *testing.T) {
	e := clone(t, filepath.Join(t.TempDir(), "none.git"))
	_, err := e.List(t.Context(), "claims/")
	var person *engine.PersonError
	require.ErrorAs(t, err, &person)
	assert.Contains(t, err.Error(), "then run idumb sync now")

	locked := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", "Basic")
		w.WriteHeader(http.StatusUnauthorized)
	}))
	e = clone(t, locked+"/shop.git")
	_, err = e.List(t.Context(), "claims/")
	require.ErrorAs(t, err, &person)
}

// Hooks of the clone do not run: they are the repository's, and may push or ask by themselves.
func TestNoHookRuns(t *testing.T) {
	hub := t.TempDir()
	run(t, hub, "init", "-q", "--bare")
	e := clone(t, hub)
	ran := filepath.Join(t.TempDir(), "ran")
	for _, hook := range []string{"pre-push", "reference-transaction", "post-index-change"} {
		require.NoError(t, os.WriteFile(filepath.Join(e.Dir, ".git", "hooks", hook), []byte("#!/bin/sh\n: >'"+ran+"'\nexit 1\n"), 0o700))
	}
	require.NoError(t, e.Txn(context.Background(), engine.Op{Key: "claims/a", Value: []byte("1")}))
	_, err := clone(t, hub).List(t.Context(), "claims/")
	require.NoError(t, err)
	assert.NoFileExists(t, ran)
	assert.Empty(t, run(t, e.Dir, "for-each-ref"), "no ref is left in the clone")
}

// A server that has rules of its own is no rival: what it refuses is a person's to mend.
func TestAServerRefuses(t *testing.T) {
	hub := t.TempDir()
	run(t, hub, "init", "-q", "--bare")
	require.NoError(t, os.WriteFile(filepath.Join(hub, "hooks", "pre-receive"), []byte("#!/bin/sh\necho no claims here >&2\nexit 1\n"), 0o700))
	err := clone(t, hub).Txn(t.Context(), engine.Op{Key: "claims/a", Value: []byte("1")})
	var person *engine.PersonError
	require.ErrorAs(t, err, &person)
	assert.Contains(t, err.Error(), "pre-receive hook declined")
	assert.True(t, person.SendOnly, "reading works")
}
