package hook

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestUnheard(t *testing.T) {
	id := func(n int) string { return fmt.Sprintf("%016x", n) }
	line := func(what string, n int) string { return "1795290533840 " + what + " " + id(n) + "\n" }
	many := ""
	for i := range 230 {
		many += line(pastMade, i+7)
	}
	for log, want := range map[string]bool{
		"":                                    true,
		line(pastMade, 1):                     true,
		line(pastMade, 9):                     false,
		line(pastWaited, 9):                   false,
		line(pastMade, 1) + line("ok", 1):     true,
		line(pastMade, 1) + line("ok", 2):     true,
		line(pastFailed, 1):                   false,
		line(pastMade, 1) + line(pastMade, 1): false,
		line(pastMade, 1) + line(pastMade, 2) + line(pastMade, 1):           false,
		line(pastMade, 1) + "1 anew -\n" + line(pastMade, 1):                true,
		line(pastMade, 1) + line(pastAnew, 1) + line(pastMade, 1):           true,
		line(pastMade, 1) + "1 anew -\n" + strings.Repeat(line("ok", 1), 2): false,
		"1 call short\n":                        false,
		"nonsense\n":                            false,
		strings.TrimSuffix(line("ok", 1), "\n"): true,
	} {
		assert.Equal(t, want, unheard([]byte(log), id(9)), log)
	}
	assert.True(t, unheard([]byte(many), id(1)))
	assert.False(t, unheard([]byte(many+line(pastMade, 100)), id(1)))
	assert.False(t, unheard([]byte(many+many), id(1)))
}

// FuzzUnheard: what counts as heard of may be too much, and never too little.
func FuzzUnheard(f *testing.F) {
	f.Add("1795290533840 call 00000000000000a1\n2 ok 00000000000000a1\n3 call 00000000000000a1\n", "00000000000000b1")
	f.Add("1 call 0000000000000001\n1 anew -\n1 call 0000000000000001\n1 start 0000000000000001", "00000000000000b1")
	f.Fuzz(func(t *testing.T, log, id string) {
		if unheard([]byte(log), id) {
			assert.False(t, repeats(readPast([]byte(log)), id), log)
		}
	})
}
