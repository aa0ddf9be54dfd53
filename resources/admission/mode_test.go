package admission

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A value of IDUMB_ENFORCE that is no mode overrides nothing, and is known as such.
func TestKnownMode(t *testing.T) {
	for word, want := range map[string]bool{"": true, " ": true, "enforce": true, "LOG": true, "off": true, "1": true, "true": true, "0": true, "false": true, "foo": false, "no": false} {
		assert.Equal(t, want, KnownMode(word), word)
	}
}
