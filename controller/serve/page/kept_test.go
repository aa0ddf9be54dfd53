//go:build linux

package page

import (
	"encoding/hex"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// again ends the site and opens it as the next controller does.
func (s *shop) again() *Pages {
	if s.pages.site != nil {
		s.pages.site.closeNow()
	}
	next := New(s.t.Context(), s.pages.Options)
	next.OpenAgain()
	s.pages = next
	return next
}

func TestAPageSurvivesItsController(t *testing.T) {
	s := openShop(t)
	token, host := s.token(), s.host
	data, err := os.ReadFile(filepath.Join(string(s.root), layout.Dir, keptFile))
	require.NoError(t, err)
	assert.NotContains(t, string(data), token, "nobody opens a page with what is stored")
	info, err := os.Stat(filepath.Join(string(s.root), layout.Dir, keptFile))
	require.NoError(t, err)
	assert.Zero(t, info.Mode().Perm()&0o077)

	path := filepath.Join(string(s.root), layout.Dir, keptFile)
	require.NoError(t, os.Chmod(path, 0o644))
	assert.Nil(t, s.again().site, "a file as git checks it out opens nothing")
	require.NoError(t, os.Chmod(path, 0o600))

	require.NotNil(t, s.again().site, "the next controller listens for the page")
	assert.Equal(t, host, s.pages.site.host)
	status, _, _ := s.send(http.MethodGet, "/me", token, nil, nil)
	assert.Equal(t, http.StatusOK, status)

	// A grant that was revoked stays so.
	s.pages.site.grants.all[0].revoke()
	s.pages.site.grants.store(time.Now())
	assert.Nil(t, s.again().site, "there is no page to wait for")
}

func TestTheSiteProvesThatItKnowsTheToken(t *testing.T) {
	s := openShop(t)
	token := s.token()
	k, nonce := keysOf(token), []byte("0123456789abcdef")
	ask := func(id, nonce []byte) (int, string) {
		status, text, _ := s.send(http.MethodGet, "/proof?id="+hex.EncodeToString(id)+"&nonce="+hex.EncodeToString(nonce), "", nil, nil)
		var out struct{ Proof string }
		require.NoError(t, json.Unmarshal([]byte(text), &out))
		return status, out.Proof
	}
	status, proof := ask(k.ID, nonce)
	assert.Equal(t, http.StatusOK, status)
	assert.Equal(t, hex.EncodeToString(sign(k.Proof, nonce)), proof)
	status, proof = ask(k.Check, nonce)
	assert.Equal(t, http.StatusUnauthorized, status)
	assert.Empty(t, proof)
	for _, bad := range [][]byte{nil, []byte("short"), make([]byte, 65)} {
		status, _ = ask(k.ID, bad)
		assert.Equal(t, http.StatusBadRequest, status)
	}
	for _, secret := range [][]byte{k.ID, k.Check, k.Proof} {
		status, _, _ = s.send(http.MethodGet, "/me", hex.EncodeToString(secret), nil, nil)
		assert.Equal(t, http.StatusUnauthorized, status, "what is stored opens nothing")
	}
}

func TestAPortThatIsTaken(t *testing.T) {
	s := openShop(t)
	token, host := s.token(), s.host
	s.pages.site.closeNow()
	other, err := net.Listen("tcp4", host)
	require.NoError(t, err)
	defer other.Close()
	next := New(t.Context(), s.pages.Options)
	next.OpenAgain()
	require.NotNil(t, next.site)
	assert.NotEqual(t, host, next.site.host)
	assert.Nil(t, next.site.grants.lookup(token, time.Now()), "whoever has the port may have asked for the token")
	s.host = next.site.host
	status, _, _ := s.send(http.MethodGet, "/me", token, nil, nil)
	assert.Equal(t, http.StatusUnauthorized, status)
}

func TestTokensEnd(t *testing.T) {
	now := time.Now()
	var g tokenGrants
	var kept []keptGrant
	g.keep = func(all []keptGrant) { kept = all }
	one, err := g.exchange(g.issue("", now), now)
	require.NoError(t, err)
	require.Len(t, kept, 1)
	assert.NotNil(t, g.lookup(one.token, now.Add(tokenLife-time.Second)))
	assert.True(t, g.open(now.Add(tokenLife-time.Second)))
	assert.Nil(t, g.lookup(one.token, now.Add(tokenLife)))
	assert.False(t, g.open(now.Add(tokenLife)))

	root := layout.Root(t.TempDir())
	for _, damaged := range []string{"", "{", `{"Port":"x","Grants":[{}]}`, `{"Port":"1","Grants":[{"Keys":{"ID":"QQ==","Check":"","Proof":""},"Created":"2999-01-01T00:00:00Z"}]}`} {
		require.NoError(t, os.MkdirAll(filepath.Join(string(root), layout.Dir, "run"), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(string(root), layout.Dir, keptFile), []byte(damaged), 0o600))
		assert.Empty(t, readKept(root, now).Grants, damaged)
	}
}
