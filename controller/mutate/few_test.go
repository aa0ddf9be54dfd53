package mutate

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFew(t *testing.T) {
	assert.Equal(t, []string{"a", "b"}, Few([]string{"a", "b"}, 2))
	assert.Equal(t, []string{"a", "b", "and 1 more"}, Few([]string{"a", "b", "c"}, 2))
}
