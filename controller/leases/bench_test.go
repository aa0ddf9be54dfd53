package leases

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// BenchmarkGet is what the gate pays for a call that is work on a task.
func BenchmarkGet(b *testing.B) {
	book := Open(layoutRoot(b))
	task := active("a")
	if _, err := book.Claim(task, book.named("s-1"), false, noon); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if book.Get(task) == nil {
			b.Fatal("no lease")
		}
	}
}

func layoutRoot(b testing.TB) layout.Root {
	root := b.TempDir()
	for _, dir := range []string{layout.Dir, ".git"} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o755); err != nil {
			b.Fatal(err)
		}
	}
	return layout.Root(root)
}
