package effects

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/trust"
)

func TestResolve(t *testing.T) {
	base := ResolveLinks(t.TempDir())
	root, home := filepath.Join(base, "repo"), filepath.Join(base, "home")
	for _, dir := range []string{"repo/src/deep", "home/.claude", "elsewhere"} {
		require.NoError(t, os.MkdirAll(filepath.Join(base, dir), 0o755))
	}
	for link, target := range map[string]string{
		"repo/out": "../elsewhere", "repo/in": root + "/src/deep", "elsewhere/back": root, "repo/dangling": "src/new/file", "repo/loop": "loop",
	} {
		require.NoError(t, os.Symlink(target, filepath.Join(base, link)))
	}
	r := Resolver{Root: root, Home: home, Claude: filepath.Join(base, "config"), Cwd: filepath.Join(root, "src")}
	for _, tc := range []struct{ given, repo, home string }{
		{"a.go", "src/a.go", ""},
		{"./x/./a.go", "src/x/a.go", ""},
		{"../b.go", "b.go", ""},
		{"none/../../b.go", "b.go", ""},
		{root, ".", ""},
		{root + "/", ".", ""},
		{root + "//src///a", "src/a", ""},
		{root + "/../repo/a", "a", ""},
		{root + "x/a", "", ""},
		{"../out/a", "", ""},
		{"../out/../a", "", ""}, // the parent of where the link leads
		{"../in/a", "src/deep/a", ""},
		{"../in/../a", "src/a", ""},
		{"../dangling", "src/new/file", ""},
		{base + "/elsewhere/back/a", "a", ""},
		{"~/.claude/settings.json", "", ".claude/settings.json"},
		{home + "/notes", "", "notes"},
		{base + "/config/settings.json", "", ".claude/settings.json"},
		{"/", "", ""},
		{"", "src", ""},
	} {
		t.Run(tc.given, func(t *testing.T) {
			got, err := r.Resolve(tc.given)
			require.NoError(t, err)
			assert.Equal(t, tc.repo, got.Repo)
			assert.Equal(t, tc.home, got.Home)
		})
	}
	for _, bad := range []string{"../loop/a", "a\x00b"} {
		_, err := r.Resolve(bad)
		assert.Error(t, err, bad)
	}
}

// Where the person's trust is kept is theirs under whatever home an agent was started.
func TestTheRecordOfTrustIsThePersonsUnderAnyHome(t *testing.T) {
	kept := trust.AccountDir()
	if kept == "" {
		t.Skip("the system knows of no home of this user")
	}
	r := Resolver{Root: t.TempDir(), Home: t.TempDir(), Cwd: "/"}
	p, err := r.Resolve(kept + "/trust/0123")
	require.NoError(t, err)
	assert.Equal(t, ".config/idumb/trust/0123", p.Home)
}
