package scaffold

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/idumb-dev/idumb/resources"
)

func TestSourcePatterns(t *testing.T) {
	root := t.TempDir()
	for _, file := range []string{
		"cmd/a/main.go", "lib/x.PY", "internal/deep/er/y.rs", "main.go", "tool.go", "docs/a.md", "node_modules/x/i.js", "Build/b.js",
		".hidden/c.js", "empty/.x/d.js", "packages/p/node_modules/e.js", "go.mod", "o[d]d/f.js", "web/dist/g.js",
	} {
		path := filepath.Join(root, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "x.go"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(root, "link")); err != nil {
		t.Skip("no links here")
	}
	want := []string{"*.go", "cmd/**", "internal/**", "lib/**"}
	if got := sourcePatterns(root); !slices.Equal(got, want) {
		t.Errorf("got %v; want %v", got, want)
	}
}

// TestFit: the role is still one that validation takes and that Encode wrote, and
// nothing else is changed.
func TestFit(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "main.go"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	before := entries(t)
	fitted, added, err := Fit(before, root)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(added, []string{"*.go"}) {
		t.Errorf("added %v", added)
	}
	for i, e := range fitted {
		if e.Path != ExecutorRole {
			if string(e.Data) != string(before[i].Data) {
				t.Errorf("%s changed", e.Path)
			}
			continue
		}
		o, _, err := resources.Read(resources.Key{Kind: resources.Roles, Name: "executor"}, e.Data)
		if err != nil {
			t.Fatal(err)
		}
		if write := o.(*resources.Role).Spec.Paths.Write; !slices.Contains(write, "*.go") || !slices.Contains(write, "src/**") {
			t.Errorf("may write %s", strings.Join(write, " "))
		}
	}
}
