//go:build unix && !darwin && !ios

package trust

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestHomeIn(t *testing.T) {
	const file = "root:x:0:0:root:/root:/bin/bash\n# a remark\nbroken:x:7\nanna:x:1000:1000:Anna,,,:/home/anna/:/bin/sh\nrel:x:8:8::home:/bin/sh\nagain:x:1000:1:::/bin/sh\n"
	for uid, want := range map[int]string{0: "/root", 1000: "/home/anna", 7: "", 8: "", 9: ""} {
		assert.Equal(t, want, homeIn(strings.NewReader(file), uid), uid)
	}
}
