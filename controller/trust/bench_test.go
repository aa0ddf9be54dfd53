package trust

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func benchClone(b *testing.B) *clone {
	c := newCloneIn(b)
	for i := range 4 {
		c.file(fmt.Sprintf("roles/r%d.json", i), fmt.Sprintf(`{"spec": {"rules": ["%0900d"]}}`, i))
	}
	require.NoError(b, c.store().Trust(c.root))
	return c
}

// What the hook pays where it needs to know whether there is any trust.
func BenchmarkLoad(b *testing.B) {
	c := benchClone(b)
	for b.Loop() {
		c.store().Load(c.root)
	}
}

// And where it has to know that nothing has changed: with five files that govern.
func BenchmarkExamine(b *testing.B) {
	c := benchClone(b)
	for b.Loop() {
		if c.store().Load(c.root).State() != Trusted {
			b.Fatal("not trusted")
		}
	}
}
