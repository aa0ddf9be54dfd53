package mutate

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFew(t *testing.T) {
	assert.Equal(t, []string{"a", "b"}, Shorten([]string{"a", "b"}, 2))
	assert.Equal(t, []string{"a", "b", "and 1 more"}, Shorten([]string{"a", "b", "c"}, 2))
}
