package terminal

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWrap(t *testing.T) {
	assert.Equal(t, "", Wrap(" ", 10, "  "))
	assert.Equal(t, "one two\n  three\n  overlongword\n  four", Wrap("one two three overlongword four", 9, "  "))
	assert.Equal(t, "äöü äöü\näöü", Wrap("äöü äöü äöü", 7, ""))
}
