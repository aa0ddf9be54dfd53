package project_test

import (
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources/project"
)

// repository is files by their contents.
type repository map[string]string

func (r repository) Paths() []string { return slices.Sorted(maps.Keys(r)) }

func (r repository) Read(path string) ([]byte, error) {
	if text, found := r[path]; found {
		return []byte(text), nil
	}
	return nil, fs.ErrNotExist
}

func TestOwners(t *testing.T) {
	owners := project.Owners(repository{
		"CODEOWNERS": "* @nobody\n",
		".github/CODEOWNERS": strings.Join([]string{
			"# who", "* @org/all dev@example.com # the rest", "*.js @js", "/build/logs/ @logs", "docs/* @docs", "apps/ @apps", "**/deep @deep", "/web/**/gen @gen", "/free/",
			"/src/[ab].go @never", "", "[Database][2] @db", "/migrations", "/migrations/old @old",
		}, "\r\n"),
	})
	for path, wanted := range map[string]string{
		"a.go": "@org/all dev@example.com", "web/a.js": "@js", "build/logs/x/y.txt": "@logs", "other/build/logs/x": "@org/all dev@example.com",
		"docs/a.md": "@docs", "docs/more/a.md": "@org/all dev@example.com", "apps/a.js": "@apps", "x/apps/y/a.go": "@apps", "x/deep/y.go": "@deep",
		"web/a/b/gen/x.go": "@gen", "free/a.go": "", "src/a.go": "@org/all dev@example.com", "migrations/1.sql": "@db", "migrations/old/1.sql": "@old",
	} {
		assert.Equal(t, wanted, strings.Join(owners(path), " "), path)
	}
	assert.Empty(t, project.Owners(repository{})("a.go"))
}

// Lines of strangers are read as far as they can be.
func FuzzOwners(f *testing.F) {
	f.Add("* @a\n/b/ @c d\n[x] @y\n/z", "b/c")
	f.Fuzz(func(t *testing.T, text, path string) {
		for _, owner := range project.Owners(repository{"CODEOWNERS": text})(path) {
			assert.Contains(t, owner, "@")
		}
	})
}
