package project_test

import (
	"io/fs"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources/project"
)

func TestIsFixture(t *testing.T) {
	for _, name := range []string{"examples/a/package.json", "a/Example/go.mod", "x/testdata/go.mod", "node_modules/x/package.json", "packages/a/templates/b/c.json"} {
		assert.True(t, project.IsFixture(name), name)
	}
	for _, name := range []string{"package.json", "example.json", "src/examples.go", "packages/template-engine/package.json", "app/distance/x.go"} {
		assert.False(t, project.IsFixture(name), name)
	}
}

// attributes are files of which only .gitattributes can be read.
type attributes string

func (a attributes) Paths() []string { return []string{".gitattributes"} }

func (a attributes) Read(path string) ([]byte, error) {
	if path != ".gitattributes" {
		return nil, fs.ErrNotExist
	}
	return []byte(a), nil
}

func TestVendored(t *testing.T) {
	vendored := project.Vendored(attributes("# comment\n*.pb.go linguist-generated\n/gen/** linguist-generated=true text\ngen/keep.go -linguist-generated\nlib/* linguist-vendored=false\n\n*\n"))
	assert.True(t, vendored("a/b.pb.go"))
	assert.True(t, vendored("gen/a/b.go"))
	assert.False(t, vendored("gen/keep.go"), "the last line holds")
	assert.False(t, vendored("lib/a.go"))
	assert.False(t, vendored("main.go"))
}
