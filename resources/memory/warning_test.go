package memory

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources"
)

func TestDoubts(t *testing.T) {
	for want, suspect := range map[string][]string{
		"": nil, "a": {"a"}, "a, b": {"a", "b"}, "a, b and 1 more": {"a", "b", "c"}, "a, b and 2 more": {"a", "b", "c", "d"},
	} {
		assert.Equal(t, want, Doubts(&resources.MemStatus{Suspect: suspect}))
	}
}
